# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of a folder of results, typed by its datapackage.json: pandas, polars, Arrow, lazily, and as Parquet."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.dataset as pads
import pyarrow.parquet as papq

from .program import FlotsamError
from .writing import make_folder, whole

if TYPE_CHECKING:
    import polars as pl

# Types of a Tabular Data Package, as columns of Arrow and of pandas.
_ARROW = {"integer": pa.int64(), "number": pa.float64(), "string": pa.string(), "datetime": pa.timestamp("ms")}
_PANDAS = {pa.int64(): pd.Int64Dtype(), pa.string(): pd.StringDtype()}
# One row group of a Parquet file.
_ROWS_IN_GROUP = 1 << 18


class TableError(FlotsamError):
    """A table or column that is not there, or a folder without tables; the text names what is."""


@dataclass(frozen=True)
class Field:
    """One column: its name, type (`integer`, `number`, `string`, `datetime`), unit (empty for texts) and meaning."""

    name: str
    type: str
    unit: str
    meaning: str


class Table:
    """One table of a folder: what it holds, and ways to read it.

    `key` names the columns that no two rows share the values of; it is empty where rows may repeat. `run_key` is the
    column that names the run of each row in the table `runs`, or None.
    """

    def __init__(self, folder: Path, resource: dict[str, Any]) -> None:
        schema = resource["schema"]
        self.path = folder / resource["path"]
        self.name = self.path.name.partition(".")[0]
        self.title = str(resource.get("title", ""))
        self.fields = [
            Field(each["name"], each["type"], each.get("unit", ""), each.get("description", ""))
            for each in schema["fields"]
        ]
        self.key: tuple[str, ...] = tuple(schema.get("primaryKey", ()))
        references = [each for each in schema.get("foreignKeys", ()) if each["reference"]["resource"] == "runs"]
        self.run_key: str | None = references[0]["fields"][0] if references else None

    @property
    def columns(self) -> list[str]:
        """Names of the columns in order."""
        return [field.name for field in self.fields]

    @property
    def units(self) -> dict[str, str]:
        """Unit of each column that has one; `1` for counts and shares."""
        return {field.name: field.unit for field in self.fields if field.unit}

    @property
    def size(self) -> int:
        """Size of the file."""
        return int(self.path.stat().st_size)

    @property
    def schema(self) -> pa.Schema:
        """The columns for Arrow, with unit and meaning of each, and the key of the table, as metadata."""
        fields = [
            pa.field(each.name, _ARROW[each.type], metadata={"unit": each.unit, "description": each.meaning})
            for each in self.fields
        ]
        about = {"title": self.title, "primaryKey": json.dumps(list(self.key))}
        return pa.schema(fields, metadata=about)

    def dataset(self) -> pads.Dataset:
        """The file as a dataset of Arrow: nothing is read until something is asked for, and then in pieces."""
        if self.path.suffix == ".parquet":
            return pads.dataset(self.path, schema=self.schema, format="parquet")
        options = pads.CsvFileFormat(
            convert_options=pacsv.ConvertOptions(
                column_types={field.name: field.type for field in self.schema}, null_values=[""],
                strings_can_be_null=True))
        return pads.dataset(self.path, schema=self.schema, format=options)

    def arrow(self, columns: Sequence[str] | None = None, where: Any = None) -> pa.Table:
        """The table, or some columns of the rows for which an expression of `pyarrow.dataset` holds.

            results["events"].arrow(["t_s", "app"], pyarrow.dataset.field("event") == "kill")
        """
        self._know(columns)
        table = self.dataset().to_table(columns=None if columns is None else list(columns), filter=where)
        return table.cast(pa.schema([self.schema.field(name) for name in table.column_names], self.schema.metadata))

    def pandas(
        self, columns: Sequence[str] | None = None, where: Any = None, *, index: bool = False
    ) -> pd.DataFrame:
        """The same for pandas: whole numbers as Int64, numbers as float64, texts as string.

        Units stand in `attrs["units"]`. With `index` the key becomes the index.
        """
        frame: pd.DataFrame = self.arrow(columns, where).to_pandas(types_mapper=_PANDAS.get)
        if index:
            if not self.key:
                raise TableError(f"{self.name} has no key: rows may repeat")
            frame = frame.set_index(list(self.key))
            if not frame.index.is_unique:
                raise TableError(f"{self.path} has rows of the same {', '.join(self.key)}")
        frame.attrs["units"] = {name: unit for name, unit in self.units.items() if name in frame.columns}
        return frame

    def polars(self, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The same for polars (`flotsam[polars]`)."""
        lazy = self.lazy()
        self._know(columns)
        return (lazy if columns is None else lazy.select(list(columns))).collect()

    def lazy(self) -> pl.LazyFrame:
        """The same for polars, read only when it is collected and as far as that needs (`flotsam[polars]`)."""
        try:
            import polars as pl
        except ModuleNotFoundError as missing:
            raise TableError("polars is not installed: pip install './python[polars]'") from missing
        if self.path.suffix == ".parquet":
            return pl.scan_parquet(self.path)
        types = {"integer": pl.Int64, "number": pl.Float64, "string": pl.String, "datetime": pl.String}
        lazy = pl.scan_csv(
            self.path, schema={each.name: types[each.type] for each in self.fields}, null_values=[""])
        # A schema for CSV knows no dates.
        dates = [each.name for each in self.fields if each.type == "datetime"]
        return lazy.with_columns(pl.col(dates).str.to_datetime("%Y-%m-%dT%H:%M:%S", time_unit="ms")) if dates else lazy

    def parquet(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Writes the table as Parquet (zstd), piece by piece; returns the file, by default beside the CSV file.

        One that is such a file already is written again, with the units of its columns.
        """
        target = Path(path) if path is not None else self.path.with_name(f"{self.name}.parquet")
        make_folder(target.parent)
        with whole(target) as file, papq.ParquetWriter(file, self.schema, compression="zstd") as writer:
            for batch in self.dataset().to_batches(batch_size=_ROWS_IN_GROUP):
                writer.write_batch(batch.cast(self.schema))
        return target

    def _know(self, columns: Iterable[str] | None) -> None:
        for name in columns or ():
            if name not in self.columns:
                raise TableError(f"{self.name} has no column {name!r}; it has {', '.join(self.columns)}")

    def __repr__(self) -> str:
        return f"<{self.name}: {self.title}; {len(self.fields)} columns, {self.size:,} bytes>"


def tables(folder: Path) -> dict[str, Table]:
    """The tables of a folder that datapackage.json describes and that are there, by name."""
    path = folder / "datapackage.json"
    if not path.is_file():
        raise TableError(f"{folder} holds no tables (no datapackage.json): flotsam run, or merge, writes them")
    resources = json.loads(path.read_text(encoding="utf-8"))["resources"]
    # A description from elsewhere may name files outside of the folder.
    named = [
        each for each in resources
        if each["path"].endswith((".csv", ".csv.gz", ".parquet")) and Path(each["path"]).name == each["path"]]
    found = [Table(folder, each) for each in named]
    return {table.name: table for table in found if table.path.is_file()}
