"""Results as text and JSON: strings out, nothing printed. Names from files are escaped here."""
