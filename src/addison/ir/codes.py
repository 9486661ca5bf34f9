"""The kinds of findings that reading a file and inferring its shapes can give: one row each, codes never reused.

F: the file and its XML. G: the graph. W: weights. A: an Add (1xx attributes, 2xx types, 3xx shapes).
"""

from addison.diagnostics import Code, Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

XML_SYNTAX = Code("F101", "xml-syntax", _E)
DOCTYPE = Code("F102", "doctype", _E)
LIMIT = Code("F103", "limit", _E)
IR_VERSION = Code("F104", "ir-version", _E)
NOT_IR = Code("F105", "not-ir", _E)
PRE_PROCESS = Code("F106", "pre-process", _E)
MISSING_ATTRIBUTE = Code("F107", "missing-attribute", _E)
BAD_NUMBER = Code("F108", "bad-number", _E)
BAD_DIM = Code("F109", "bad-dim", _E)
SLOPPY_DIM = Code("F110", "sloppy-dim", _W)
BAD_TYPE = Code("F111", "bad-element-type", _E)
BAD_SHAPE = Code("F112", "bad-shape", _E)
V10_BOUNDARY = Code("F113", "v10-boundary", _I)
REPEATED = Code("F114", "repeated-element", _E)
NO_PRECISION = Code("F115", "no-precision", _W)
UNUSED_SILENCE = Code("F116", "unused-silence", _W)  # the checker's: reading keeps the comments
UNREADABLE = Code("F117", "unreadable", _E)
TOO_MANY = Code("F199", "too-many-findings", _E)

DUPLICATE_ID = Code("G101", "duplicate-id", _E)
DANGLING_EDGE = Code("G102", "dangling-edge", _E)
UNKNOWN_PORT = Code("G103", "unknown-port", _E)
DUPLICATE_EDGE = Code("G104", "duplicate-edge", _E)
CYCLE = Code("G105", "cycle", _E)
UNCONNECTED = Code("G106", "unconnected-input", _E)
UNCONNECTED_DEAD = Code("G107", "unconnected-dead-input", _W)
WRONG_OPSET = Code("G108", "wrong-opset", _E)
CONSTANT_TYPE = Code("G109", "constant-type", _E)
DUPLICATE_PORT = Code("G110", "duplicate-port", _E)
PORT_COUNT = Code("G111", "port-count", _E)

NO_WEIGHTS = Code("W101", "no-weights", _E)
OUT_OF_RANGE = Code("W102", "out-of-range", _E)
TOO_SMALL = Code("W103", "too-small", _E)
INLINE_VALUE = Code("W104", "inline-value", _E)
LARGER = Code("W105", "larger-than-needed", _W)

UNKNOWN_RULE = Code("A101", "unknown-auto-broadcast", _E)
BAD_AXIS = Code("A102", "bad-axis", _E)
MISSPELT = Code("A103", "misspelt-attribute", _W)
IGNORED_AXIS = Code("A104", "ignored-axis", _W)
NO_AXIS = Code("A105", "pdpd-without-axis", _W)
INPUT_COUNT = Code("A106", "input-count", _E)

TYPES_DIFFER = Code("A201", "types-differ", _E)
NOT_NUMERIC = Code("A202", "not-numeric", _E)
DECLARED_TYPE = Code("A203", "declared-type", _W)

DECLARED_SHAPE = Code("A301", "declared-shape", _W)
SHAPES_CLASH = Code("A302", "shapes-clash", _E)
