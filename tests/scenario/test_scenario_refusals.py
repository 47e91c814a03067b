"""What a scenario may not say, and the sentence each mistake gets."""

import copy
import json

import pytest

import discover_core as dc


def changed(data, path, value):
    """The same dictionary with one place changed, or taken out when the value is ..."""
    data = copy.deepcopy(data)
    place = data
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (["version"], ..., "says its “version”"),
        (["version"], 2, "has the version 2, but this program reads version 1"),
        (["version"], True, "has the version True"),
        (["colour"], "red", "no “colour” in the scenario"),
        (["bounds"], ..., "“bounds” is missing from the scenario"),
        (["bounds", "u_x"], ..., "“u_x” is missing from the bounds"),
        (["bounds", "u_x"], "0.5", '“u_x” of the bounds must be a number, not "0.5"'),
        (["bounds", "u_x"], 10**400, "“u_x” of the bounds must be a number"),
        (["bounds", "u_x"], -1, "must be above 0"),
        (["bounds", "band"], "guess", "must be one of dkw, bootstrap"),
        (["settings"], [], "settings must be names with values, not []"),
        (["settings", "k"], True, "“k” of the settings must be a whole number, not true"),
        (["people"], "Wealth", "People cannot be called by “Wealth”"),
        (["people"], ["Age"], "“people” of the scenario must be text"),
        (["people"], 0, "“people” of the scenario must be text"),
        (["name"], 7, "“name” of the scenario must be text"),
        (["settings", "strategy"], "magic", "“strategy” cannot be 'magic': use one of monte_carlo, genetic"),
        (["settings", "strategy"], 3, "“strategy” of the settings must be text, not 3"),
        (["settings", "speed"], 3, "no “speed” in the settings"),
        (["schema", "columns"], {}, "must be a list"),
        (["schema", "columns", 0], 5, "Entry 1 of “columns” of the schema must be names with values, not 5"),
        (["schema", "columns", 0, "name"], ..., "“name” is missing"),
        (["schema", "columns", 0, "low"], "young", "must be a number or null"),
        (["schema", "columns", 0, "levels"], "ab", "must be a list"),
        (["schema", "columns", 0, "colour"], 1, "no “colour” in the entry 1"),
        (["schema", "outcome"], "Wealth", "“Wealth” is not in the table"),
        (["cohort", "sample"], 2.5, "must be a whole number or null"),
        (["cohort", "rules"], [{"column": "Age"}], "“comparison” is missing"),
        (["cohort", "rules"], [{"column": "Age", "comparison": "~", "value": 1}], "must be one of is, is not"),
        (["actions"], 5, "actions must be names with values"),
        (["actions", "Wealth"], {"mode": "free"}, "no “Wealth” in the actions"),
        (["actions", "Age"], "locked", "actions on “Age” must be names with values"),
        (["actions", "Age"], {"name": "Sex"}, "no “name” in the actions on “Age”"),
        (["actions", "Age"], {"mode": "young"}, "must be one of free, locked"),
        (["actions", "Sex"], {"levels": ["robot"]}, "no category “robot”"),
        (["target"], "low", "needs a “kind”"),
        (["target", "kind"], "wish", "no target of the kind “wish”"),
        (["target", "clip"], [0], "must be a list of 2 or null"),
        (["target", "to"], 1, "no “to” in the shift target"),
        (["target", "by"], None, "must be a number"),
        (["data"], {}, "either a “sample” or a “file”"),
        (["data"], {"sample": "adult", "file": "a.csv"}, "either a “sample” or a “file”"),
        (["data"], {"url": "http://x"}, "no “url” in the data"),
        (["data"], {"sample": "titanic"}, "no sample “titanic”"),
        (["model"], {}, "either one to “train” or a “file”"),
        (["model"], {"file": "m.json", "approved": ["os.system"]}, "no “approved” in the model"),
        (["model"], {"file": "m.json", "mapping": {"a": 1}}, "the name of a column"),
        (["model"], {"file": "m.json", "codes": ["a"]}, "“codes” of the model of the scenario must be names with values"),
        (["model"], {"file": "m.json", "codes": {"a": ["x", "y"]}}, "a number for each of its values"),
        (["model"], {"file": "m.json", "codes": {"a": {"x": "first"}}}, "The code of “x” in “a” must be a number"),
        (["model", "train", "family"], "oracle", "no model family “oracle”"),
        (["model", "train", "seed"], -1, "“seed” must be a whole number"),
        (["model", "train", "settings"], {"c": "big"}, "“Flexibility (C)” cannot be “big”"),
    ],
)
def test_what_a_scenario_cannot_say_gets_a_sentence(german, path, value, words):
    with pytest.raises(dc.InputError) as caught:
        dc.Scenario.from_dict(changed(german.to_dict(), path, value))
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("path", ["/etc/passwd", "../x.csv", "a/../../x.csv", "C:x.csv", "C:/x.csv", "a\\x.csv", "", ".", "a\0b"])
@pytest.mark.parametrize("part", ["data", "model"])
def test_a_path_stays_in_the_folder(german, part, path):
    with pytest.raises(dc.InputError, match="is not accepted"):
        dc.Scenario.from_dict({**german.to_dict(), part: {"file": path}})


def test_a_link_out_of_the_folder_and_a_missing_file_are_refused(german, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    (home / "table.csv").symlink_to(tmp_path / "secret.csv")
    for name, words in (("table.csv", "link out of"), ("none.csv", "is not in the scenario's folder")):
        (home / "s.json").write_text(json.dumps({**german.to_dict(), "data": {"file": name}}))
        with pytest.raises(dc.InputError, match=words):
            dc.Scenario.read(home / "s.json").problem()


def test_a_pickle_is_refused(german, tmp_path, monkeypatch):
    monkeypatch.delenv("DISCOVER_ALLOW_PICKLE", raising=False)
    (tmp_path / "model.pkl").write_bytes(b"\x80\x04N.")
    (tmp_path / "s.json").write_text(json.dumps({**german.to_dict(), "model": {"file": "model.pkl"}}))
    with pytest.raises(dc.InputError, match="runs code from the file"):
        dc.Scenario.read(tmp_path / "s.json").problem()


@pytest.mark.parametrize(("part", "name"), [("cohort", "group"), ("target", "reference group")])
def test_a_group_without_rows_gets_a_sentence(german, part, name):
    nobody = {"rules": [{"column": "Age", "comparison": ">", "value": 200}]}
    data = {**german.to_dict(), part: nobody if part == "cohort" else {"kind": "reference_group", "cohort": nobody}}
    with pytest.raises(dc.InputError, match=f"The {name} has no rows"):
        dc.Scenario.from_dict(data).problem()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "not a JSON file"),
        (b"\xff\xfe", "not a JSON file"),
        (b'{"version": NaN}', "NaN"),
        (b"[" * 99999, "50 deep"),
        (b'{"name": "\\ud800"}', "half a character"),
    ],
    ids=["broken", "binary", "nan", "deep", "half a character"],
)
def test_a_file_that_is_no_json_gets_a_sentence(tmp_path, content, words):
    (tmp_path / "s.json").write_bytes(content)
    with pytest.raises(dc.InputError, match=words):
        dc.Scenario.read(tmp_path / "s.json")
