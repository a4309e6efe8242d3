"""What both HTTP APIs share: paths, callers, errors and pages."""
