"""The drawing kit of pages, charts and paper: elements, letters, PNG. Games are drawn in Rust."""
