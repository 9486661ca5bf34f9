"""How long lines and files may be where no linter looks: in the core."""

WRITTEN = ("core/**/*.cpp", "core/**/*.h", "core/*.cpp", "core/*.h")


def test_lines_and_files_of_the_core(root):
    files = {path for pattern in WRITTEN for path in root.glob(pattern)}
    assert len(files) > 40
    for path in files:
        lines = path.read_text().splitlines()
        assert len(lines) <= 300, path
        long = [f"{path}:{number}" for number, line in enumerate(lines, 1) if len(line) > 120]
        assert not long, long
