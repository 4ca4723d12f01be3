"""The fonts of the site as a drawing of a picture needs them: those of `site_src/assets/fonts`, unpacked."""
