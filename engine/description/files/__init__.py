"""Where the contents of files come from: `providers` (schemes, zip files), `resources` (assets and folders of one load), `cache`."""
