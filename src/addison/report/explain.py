"""Says what renders explanations, so that ``addison.reasons`` can be shown without knowing of this package."""

from addison.reasons.shown import fill
from addison.report.explain_html import html
from addison.report.explain_text import text

fill("text", text)
fill("html", html)
