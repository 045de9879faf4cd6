/** The GraphQL examples of the pages are valid as shown: each parses, and the schema has every name that it uses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';

const PAGES = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))].filter((name) =>
  name.endsWith('.md'),
);
const schema = buildSchema(readFileSync('schema.gql', 'utf8'));

interface Block {
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a page; `open` is a last block without a closing fence. */
function blocksOf(page: string): { blocks: Block[]; open: Block | undefined } {
  const blocks: Block[] = [];
  let open: (Block & { fence: string }) | undefined;
  for (const [index, line] of readFileSync(page, 'utf8').split('\n').entries()) {
    const [, fence, language = ''] = /^\s*(`{3,})(\w*)/.exec(line) ?? [];
    if (open && line.trim() === open.fence) {
      blocks.push(open);
      open = undefined;
    } else if (open) open = { ...open, text: `${open.text}${line}\n` };
    else if (fence !== undefined) open = { place: `${page}:${index + 1}`, language, text: '', fence };
  }
  return { blocks, open };
}

test.each(PAGES)('%s closes what it opens', (page) => {
  const { blocks, open } = blocksOf(page);
  expect(open).toBeUndefined();
  for (const { place, text } of blocks) expect([place, /^#{2,} |^```/m.test(text)]).toEqual([place, false]);
});

const EXAMPLES = PAGES.flatMap((page) => blocksOf(page).blocks).filter(
  ({ language }) => language === 'graphql',
);

test('there are examples', () => expect(EXAMPLES.length).toBeGreaterThan(5));

test.each(EXAMPLES)('$place is answered', ({ text }) => {
  expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
});
