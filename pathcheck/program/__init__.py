"""Source becomes IR: decoding, scopes, units, modules. Cached by blob hash."""
