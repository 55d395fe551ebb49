/** Texts of types, patterns and expressions within each other, over which a parser may double its work
 * at each level. */

/** What stands around the next level. */
type Form = readonly [before: string, after: string];

const FORMS: readonly Form[] = [
  ["1 as({a=", "})=>b"],
  ["1 as([a=", "])=>b"],
  ["1 as({a:{b=", "}})=>c"],
  ["1 as(a,{b=", "})=>c"],
  ["1 as new({a=", "})=>b"],
  ["1 satisfies({a=", "})=>b"],
  ["(x:({a=", "})=>b)=>1"],
  ["((x:([a=", "])=>b)=>1)"],
  ["x=>{type T=({a=", "})=>b}"],
  ["x=>{interface I{f:({a=", "})=>b}}"],
  ["x=>{let y:({a=", "})=>b}"],
  ["class{m(x:({a=", "})=>b){}}"],
  ["class{[a:({a=", "})=>b]:1}"],
  ["<T,>(x:({a=", "})=>b)=>1"],
  ["async<a>(b=", ")=>1"],
  ["<a>(async <a>(", "))"],
  ["(a?(b):", ")=>1"],
  ["a?(b):c=>(", ")"],
  ["a?(b)=>(", "):c"],
  ["f<a<(", ")>>(1)"],
  ["(({a=", "})=>1)"],
  ["({a=", "}=1)"],
  ["[a=", "]=1,0"],
  ["`${", "}`"],
  ["[x for a in ", "]"],
  ["{k: v for k in ", "}"],
  ["lambda x: ", ""],
];

/** Each form within itself, and each within the one behind it in the list, up to `length` characters. */
export function* nestedForms(length: number): Generator<string> {
  for (const [at, form] of FORMS.entries()) {
    const next = FORMS[(at + 1) % FORMS.length] ?? form;
    yield nested([form], length);
    yield nested([form, next], length);
  }
}

function nested(forms: readonly Form[], length: number): string {
  let text = "1";
  for (let level = 0;; level++) {
    const [before, after] = forms[level % forms.length] ?? ["", ""];
    const longer = before + text + after;
    if (longer.length > length) return text;
    text = longer;
  }
}
