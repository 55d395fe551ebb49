// Reads a folder of notes, builds a knowledge graph of who works on what, and asks it a question.
// Two MCP servers, many calls, and only the last line goes back to the agent.
import { tools } from "toolscript";

const [folder = "."] = Deno.args;

const { content } = await tools.filesystem.listDirectory({ path: folder });
const names = content.split("\n").filter((line) => line.endsWith(".md"))
  .map((line) => line.replace("[FILE] ", ""));

const notes = await Promise.all(names.map(async (name) => {
  const file = await tools.filesystem.readTextFile({ path: `${folder}/${name}` });
  const [title = name] = file.content.split("\n");
  const people = [...file.content.matchAll(/@(\w+)/g)].map(([, person = ""]) => person);
  return { project: title.replace(/^# /, ""), people: [...new Set(people)] };
}));
console.log(`Read ${notes.length} notes`);

const people = [...new Set(notes.flatMap((note) => note.people))];
await tools.memory.createEntities({
  entities: [
    ...people.map((name) => ({ name, entityType: "person", observations: [] })),
    ...notes.map(({ project }) => ({ name: project, entityType: "project", observations: [] })),
  ],
});
await tools.memory.createRelations({
  relations: notes.flatMap(({ project, people }) =>
    people.map((from) => ({ from, to: project, relationType: "works on" }))
  ),
});

const graph = await tools.memory.readGraph();
const load = Map.groupBy(graph.relations, ({ from }) => from);
const [busiest, projects = []] = [...load].sort((a, b) => b[1].length - a[1].length)[0] ?? [];

export default { busiest, projects: projects.map(({ to }) => to).sort() };
