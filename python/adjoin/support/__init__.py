"""What every room leans on: arguments checked, names found, words, progress, extras."""
