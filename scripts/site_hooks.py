"""What mkdocs.yml has besides: KaTeX, from its Debian package, is copied beside the pages, so that formulas are set without network."""
import pathlib
import shutil

KATEX = pathlib.Path("/usr/share/javascript/katex")
FONTS = pathlib.Path("/usr/share/fonts/truetype/katex")
START = """document.addEventListener("DOMContentLoaded", function () {
    renderMathInElement(document.body, {
        delimiters: [
            { left: "\\\\(", right: "\\\\)", display: false },
            { left: "\\\\[", right: "\\\\]", display: true },
        ],
        throwOnError: false,
    });
});
"""


def on_post_build(config):
    katex = pathlib.Path(config["site_dir"]) / "katex"
    (katex / "contrib").mkdir(parents=True)
    for name in ("katex.min.css", "katex.min.js", "contrib/auto-render.js"):
        shutil.copyfile(KATEX / name, katex / name)
    shutil.copytree(FONTS, katex / "fonts")
    (katex / "start.js").write_text(START)
