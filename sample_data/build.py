"""Make the sample tables from the published raw files, so that their provenance is code.

    python sample_data/build.py german.data compas-scores-two-years.csv adult_census.csv UCI_Credit_Card.csv

Same raw files, same tables, to the byte.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

HERE = Path(__file__).parent
SEED = 0
ADULT_ROWS, TAIWAN_ROWS = 6_000, 5_000

GERMAN_COLUMNS = [
    "Checking account", "Duration", "Credit history", "Purpose", "Credit amount", "Savings", "Employment",
    "Installment rate", "Personal status", "Other debtors", "Residence since", "Property", "Age", "Other installments",
    "Housing", "Existing credits", "Job", "Dependents", "Telephone", "Foreign worker", "Risk",
]  # fmt: skip

TEN_COLUMNS = [
    "Age", "Sex", "Job", "Housing", "Saving accounts", "Checking account", "Credit amount", "Duration", "Purpose", "Risk",
]  # fmt: skip

GERMAN_WORDS = {
    "Checking account": {"A11": "below 0 DM", "A12": "0 to 200 DM", "A13": "200 DM or more", "A14": "no account"},
    "Credit history": {
        "A30": "none taken or all repaid",
        "A31": "all here repaid",
        "A32": "repaid so far",
        "A33": "past delays",
        "A34": "critical or other credits",
    },
    "Purpose": {
        "A40": "new car",
        "A41": "used car",
        "A42": "furniture",
        "A43": "radio or TV",
        "A44": "appliances",
        "A45": "repairs",
        "A46": "education",
        "A47": "vacation",
        "A48": "retraining",
        "A49": "business",
        "A410": "other",
    },
    "Savings": {
        "A61": "below 100 DM",
        "A62": "100 to 500 DM",
        "A63": "500 to 1000 DM",
        "A64": "1000 DM or more",
        "A65": "none or unknown",
    },
    "Employment": {
        "A71": "unemployed",
        "A72": "below 1 year",
        "A73": "1 to 4 years",
        "A74": "4 to 7 years",
        "A75": "7 years or more",
    },
    "Personal status": {
        "A91": "male divorced or separated",
        "A92": "female not single",
        "A93": "male single",
        "A94": "male married or widowed",
        "A95": "female single",
    },
    "Other debtors": {"A101": "none", "A102": "co-applicant", "A103": "guarantor"},
    "Property": {
        "A121": "real estate",
        "A122": "savings plan or life insurance",
        "A123": "car or other",
        "A124": "none or unknown",
    },
    "Other installments": {"A141": "bank", "A142": "stores", "A143": "none"},
    "Housing": {"A151": "rent", "A152": "own", "A153": "free"},
    "Job": {
        "A171": "unskilled non-resident",
        "A172": "unskilled resident",
        "A173": "skilled",
        "A174": "highly skilled",
    },
    "Telephone": {"A191": "no", "A192": "yes"},
    "Foreign worker": {"A201": "yes", "A202": "no"},
    "Risk": {1: "good", 2: "bad"},
}

TEN_WORDS = {
    "Sex": {"A91": "male", "A92": "female", "A93": "male", "A94": "male", "A95": "female"},
    "Job": {"A171": 0, "A172": 1, "A173": 2, "A174": 3},
    "Housing": GERMAN_WORDS["Housing"],
    "Saving accounts": {"A61": "little", "A62": "moderate", "A63": "quite rich", "A64": "rich", "A65": None},
    "Checking account": {"A11": "little", "A12": "moderate", "A13": "rich", "A14": None},
    "Purpose": {
        "A40": "car",
        "A41": "car",
        "A42": "furniture/equipment",
        "A43": "radio/TV",
        "A44": "domestic appliances",
        "A45": "repairs",
        "A46": "education",
        "A47": "vacation/others",
        "A48": "education",
        "A49": "business",
        "A410": "vacation/others",
    },
    "Risk": GERMAN_WORDS["Risk"],
}


def spell_out(table: pd.DataFrame, words: dict[str, dict]) -> pd.DataFrame:
    """Codes replaced by words; a code without a word stops the build."""
    table = table.copy()
    for column, meaning in words.items():
        unknown = set(table[column]) - set(meaning)
        if unknown:
            raise SystemExit(f"{column}: no word for {sorted(unknown)}")
        table[column] = table[column].map(meaning)
    return table


def german_credit(raw: pd.DataFrame) -> pd.DataFrame:
    return spell_out(raw, GERMAN_WORDS)


def german_credit_10(raw: pd.DataFrame) -> pd.DataFrame:
    names = {"Personal status": "Sex", "Savings": "Saving accounts"}
    columns = [
        "Age",
        "Sex",
        "Job",
        "Housing",
        "Saving accounts",
        "Checking account",
        "Credit amount",
        "Duration",
        "Purpose",
        "Risk",
    ]
    return spell_out(raw.rename(columns=names)[columns], TEN_WORDS)


def compas(raw: pd.DataFrame) -> pd.DataFrame:
    """ProPublica's own filter, then only columns that name nobody; rows shuffled so that their place says nothing."""
    keep = raw["days_b_screening_arrest"].between(-30, 30)
    keep &= (raw["is_recid"] != -1) & (raw["c_charge_degree"] != "O") & raw["score_text"].isin(["Low", "Medium", "High"])
    rows = raw[keep]
    stay = pd.to_datetime(rows["c_jail_out"]) - pd.to_datetime(rows["c_jail_in"])
    table = rows[["sex", "age", "race", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count", "c_charge_degree"]]
    table = table.assign(days_in_jail=stay.dt.days.clip(lower=0), two_year_recid=rows["two_year_recid"])
    table = spell_out(table, {"c_charge_degree": {"F": "felony", "M": "misdemeanor"}, "two_year_recid": {0: "no", 1: "yes"}})
    return table.sample(frac=1, random_state=SEED)


def adult(raw: pd.DataFrame) -> pd.DataFrame:
    whole = dict.fromkeys(("fnlwgt", "capital-gain", "capital-loss"), "int64")
    return raw.astype(whole).sample(ADULT_ROWS, random_state=SEED)


def taiwan_default(raw: pd.DataFrame) -> pd.DataFrame:
    table = raw.drop(columns="ID").rename(columns={"target": "default_next_month"})
    amounts = [c for c in table.columns if c.startswith(("LIMIT", "BILL", "PAY_AMT"))]
    words = {
        "SEX": {1: "male", 2: "female"},
        "EDUCATION": {
            1: "graduate school",
            2: "university",
            3: "high school",
            4: "other",
            **dict.fromkeys((0, 5, 6), "unknown"),
        },
        "MARRIAGE": {1: "married", 2: "single", 3: "other", 0: "unknown"},
        "default_next_month": {0: "no", 1: "yes"},
    }
    return spell_out(table.astype(dict.fromkeys(amounts, "int64")), words).sample(TAIWAN_ROWS, random_state=SEED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("german", "compas", "adult", "taiwan"):
        parser.add_argument(name, type=Path, help=f"raw {name} file")
    paths = parser.parse_args()
    german = pd.read_csv(paths.german, sep=" ", names=GERMAN_COLUMNS, header=None)
    tables = {
        "german_credit": german_credit(german),
        "german_credit_10": german_credit_10(german),
        "compas": compas(pd.read_csv(paths.compas)),
        "adult": adult(pd.read_csv(paths.adult)),
        "taiwan_default": taiwan_default(pd.read_csv(paths.taiwan)),
    }
    for name, table in tables.items():
        path = HERE / f"{name}.csv"
        table.to_csv(path, index=False, lineterminator="\n")
        print(f"{path.name}: {len(table):,} rows, {table.shape[1]} columns, {path.stat().st_size / 1000:,.0f} kB")


if __name__ == "__main__":
    main()
