"""validate_scenes.py SCHEMA SCENE...: validates scenes against the JSON Schema. Exits with 77 if jsonschema is not there."""

import json
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)

schema = json.load(open(sys.argv[1], encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failed = False
for name in sys.argv[2:]:
    text = open(name, encoding="utf-8").read()
    # Comments, but not what stands in strings.
    text = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or "", text, flags=re.S)
    scene = json.loads(text)
    for error in validator.iter_errors(scene):
        failed = True
        print(f"{name}: {'/'.join(map(str, error.path))}: {error.message[:200]}")
    # What the schema must refuse.
    for wrong in ({**scene, "colour": 1}, {**scene, "dimension": 4}, {k: v for k, v in scene.items() if k != "time"}):
        if validator.is_valid(wrong):
            failed = True
            print(f"{name}: the schema accepts a wrong scene")
sys.exit(1 if failed else 0)
