// Sorting and filtering of the class page. Without it the table is whole, in the order of paths.
"use strict";
(() => {
  const table = document.getElementById("class");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const compare = new Intl.Collator(document.documentElement.lang, { numeric: true }).compare;

  // -- sorting

  function sortBy(header, numbers) {
    const column = header.cellIndex;
    const descending = header.getAttribute("aria-sort") === (numbers ? "descending" : "ascending");
    // numbers begin with the greatest, text with the first
    const direction = numbers === descending ? 1 : -1;
    const key = numbers
      ? (row) => Number(row.cells[column].dataset.value)
      : (row) => row.cells[column].textContent;
    const keyed = rows.map((row) => [key(row), row]);
    const order = numbers ? (a, b) => a[0] - b[0] : (a, b) => compare(a[0], b[0]);
    keyed.sort((a, b) => direction * order(a, b));
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    body.append(...keyed.map(([, row]) => row));
  }

  for (const header of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = header.textContent;
    const numbers = header.dataset.sort === "number";
    button.addEventListener("click", () => sortBy(header, numbers));
    header.replaceChildren(button);
  }

  // -- filtering

  const form = document.getElementById("filters");
  const [text, status, check, fault] = ["text", "status", "check", "fault"].map((name) =>
    document.getElementById(`filter-${name}`),
  );
  const count = document.getElementById("filter-count");
  const buttons = [...document.querySelectorAll("button[data-fault]")];

  // letters that no decomposition turns into those that people type for them
  const PLAIN = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
  /** Without case and marks above or beneath letters: ё is е, é is e, ø is o. */
  function folded(text) {
    const bare = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
    return bare.replace(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter]);
  }
  // the name, the file and the variant
  const words = new Map(
    rows.map((row) => [row, folded([0, 2, 3].map((n) => row.cells[n].textContent).join("\n"))]),
  );

  function has(list, wanted) {
    return !wanted || list.split(" ").includes(wanted);
  }

  function filter() {
    const wanted = folded(text.value.trim());
    let shown = 0;
    for (const row of rows) {
      const { status: of, lost, faults } = row.dataset;
      const fits =
        words.get(row).includes(wanted) &&
        (!status.value || status.value === of) &&
        has(lost, check.value) &&
        has(faults, fault.value);
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = form.dataset.shown
      .replace("{shown}", shown)
      .replace("{total}", rows.length);
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.fault === fault.value));
    }
  }

  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener("click", () => {
      fault.value = button.dataset.fault === fault.value ? "" : button.dataset.fault;
      filter();
    });
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  form.hidden = false;
  filter();
})();
