/** Style sheet of the report, light and dark. It loads nothing. */

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --line: #e3e6eb; --text: #1a1f29; --soft: #626b7a;
  --ok: #3563e9; --error: #e0475b; --saved: #16977a; --schemas: #16977a; --calls: #6cc7ae;
  --runs: #3563e9; --track: #eef0f4; --hover: rgba(53, 99, 233, .06);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101318; --card: #191d25; --line: #2a303b; --text: #e7eaf0; --soft: #98a2b3;
    --ok: #7295ff; --error: #ff7585; --saved: #4fd1ae; --schemas: #2fae8d; --calls: #8ce0c8;
    --runs: #7295ff; --track: #242a34; --hover: rgba(114, 149, 255, .1);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 1160px; margin: 0 auto; padding: 36px 20px 48px; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; margin-bottom: 22px; }
h1 { font-size: 25px; line-height: 1.2; letter-spacing: -.02em; margin: 0; }
h2 { font-size: 15px; margin: 0 0 2px; }
p { margin: 0; }
.soft, .hint { color: var(--soft); }
.hint { font-size: 13px; margin-bottom: 10px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(176px, 1fr)); gap: 14px; }
.card, section {
  background: var(--card); border: 1px solid var(--line); border-radius: 12px; min-width: 0;
}
.card { padding: 16px 18px; }
.card .label { color: var(--soft); font-size: 13px; }
.card .value {
  font-size: 28px; line-height: 1.25; font-weight: 650; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums;
}
.card.good .value { color: var(--saved); }
.card .more { color: var(--soft); font-size: 13px; }
section { padding: 18px 20px; margin-top: 14px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; }
.pair > section { margin-top: 14px; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; color: var(--soft); font-size: 13px; margin-bottom: 10px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--text); }
svg .axis { fill: var(--soft); font-size: 12px; }
svg .note { fill: var(--soft); font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .track { fill: var(--track); }
svg .hit { fill: transparent; }
svg g:hover > .hit { fill: var(--hover); }
svg .ok { fill: var(--ok); } svg .error { fill: var(--error); } svg .schemas { fill: var(--schemas); }
svg .calls { fill: var(--calls); } svg .runs { fill: var(--runs); }
i.ok { background: var(--ok); } i.error { background: var(--error); }
i.schemas { background: var(--schemas); } i.calls { background: var(--calls); }
i.runs { background: var(--runs); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { text-align: right; padding: 7px 0 7px 18px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; font-size: 13px; }
tbody tr:last-child td { border-bottom: 0; }
th:first-child, td:first-child {
  text-align: left; padding-left: 0; white-space: normal; overflow-wrap: anywhere; min-width: 160px;
}
td.bad { color: var(--error); }
td.good { color: var(--saved); }
.method p + p { margin-top: 8px; }
.method { color: var(--soft); font-size: 14px; }
.method h2 { color: var(--text); }
footer { color: var(--soft); font-size: 13px; margin-top: 18px; }
@media (max-width: 760px) {
  .pair { grid-template-columns: minmax(0, 1fr); gap: 0; }
  main { padding: 22px 14px 32px; }
  .wide svg { min-width: 680px; }
}
@media print { body { background: #fff; } section, .card { break-inside: avoid; } }
`;
