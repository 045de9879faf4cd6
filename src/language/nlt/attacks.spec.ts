/**
 * Values that combine to an address that executes code, and values where the template itself executes code or sets
 * styles. Real parsers of HTML, addresses and CSS parse the output, and code that would run is run.
 */
import { runInNewContext } from 'node:vm';
import { type CssNode, generate, parse as parseCss, walk } from 'css-tree';
import fc from 'fast-check';
import { isScript, shapeOf } from '../../../test/support/html-shape.js';
import { compileTemplate } from './compiler.js';
import { parseTemplate } from './parser.js';
import { runs } from '../../../test/support/test-scope.js';

function rendered(source: string, properties: Record<string, unknown>): string {
  const template = parseTemplate(source);
  expect(template.errors).toEqual([]);
  const result = compileTemplate(template, 'html').render({ contact: { properties }, now: new Date(0) });
  expect(result.kind).toBe('rendered');
  return result.kind === 'rendered' ? result.text : '';
}

/** A piece of an address: of the template, or a value in one of the supported forms. */
interface Piece {
  readonly text: string;
  readonly by: 'letters' | 'references' | 'value' | 'chosen value' | 'list' | 'fallback';
}

const RUNNING = ['javascript:alert(1)', 'vbscript:msgbox(1)', 'data:text/html,<b>', 'jAvA\tScript:alert(1)'];

/** An address that executes code, cut into pieces. */
const pieces: fc.Arbitrary<readonly Piece[]> = fc
  .tuple(
    fc.constantFrom(...RUNNING),
    fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 4 }),
    fc.array(
      fc.constantFrom<Piece['by']>('letters', 'references', 'value', 'chosen value', 'list', 'fallback'),
      { minLength: 5, maxLength: 5 },
    ),
  )
  .map(([address, cuts, ways]) => {
    const edges = [0, ...cuts.toSorted((a, b) => a - b), address.length];
    return edges.slice(1).map((end, index) => {
      return { text: address.slice(edges[index], end), by: ways[index] ?? 'value' };
    });
  });

const asReferences = (text: string): string =>
  text.replace(/[^]/g, (letter) => (letter === ':' ? '&colon;' : `&#${letter.charCodeAt(0)};`));

/** Combines the pieces into one template with its data. */
function written(parts: readonly Piece[]): { source: string; data: Record<string, unknown> } {
  const data: Record<string, unknown> = { yes: true };
  const source = parts.map(({ text, by }, index) => {
    const value = `the user's x${index}`;
    data[`x${index}`] = by === 'list' ? [...text] : text;
    switch (by) {
      case 'letters':
        return text;
      case 'references':
        return asReferences(text);
      case 'value':
        return `{${value}}`;
      case 'chosen value':
        return `{if the user's yes}{${value}}{else}a{end if}`;
      case 'list':
        return `{for each L in ${value}}{the L}{end for}`;
      case 'fallback':
        return `{the user's nope}{the user's nope, or ${value}}`;
    }
  });
  return { source: source.join(''), data };
}

const holders = fc.constantFrom(
  '<a href="#">a</a>',
  "<a href='#'>a</a>",
  '<a href= #>a</a>',
  '<a href="&#10; #">a</a>',
  '<svg><a xlink:href="#">a</a></svg>',
  '<img src="#">',
  '<button formaction="#">a</button>',
  '<form action="#"></form>',
  '<object data="#"></object>',
  '<video poster="#"></video>',
  '<svg><a><animate attributeName="href" values="#"></animate></a></svg>',
  '<a {if the user\'s yes}href{else}title{end if}="#">a</a>',
  '{if the user\'s yes}<a href="{else}<p title="{end if}#">',
  '<a {for each L in the user\'s x0}{end for}href="#">a</a>',
);

test('no pieces join to an address that runs, when one of its scheme is a value', () => {
  fc.assert(
    fc.property(holders, pieces, (holder, parts) => {
      const own = parts.filter(({ by }) => by === 'letters' || by === 'references');
      // If the whole scheme is the template's, its author intended it.
      fc.pre(!isScript(own.map(({ text }) => text).join('')));
      const { source, data } = written(parts);
      const html = rendered(
        holder.replace('#', () => source),
        data,
      );
      expect([html, shapeOf(html).addresses.filter(isScript)]).toEqual([html, []]);
    }),
    { numRuns: runs(4_000) },
  );
});

test.each([
  ['a colon of the template', '<a href="javas{the x}:alert(1)">', { x: 'cript' }],
  ['two values and a colon', '<a href="{the x}{the y}:alert(1)">', { x: 'java', y: 'script' }],
  ['the end of a scheme from the template', '<a href="{the x}script:alert(1)">', { x: 'java' }],
  [
    'the rounds of a loop',
    '<a href="{for each L in the x}{the L}{end for}">',
    { x: ['javascript', ':alert(1)'] },
  ],
  [
    'rounds that begin and end a link',
    '<i title="{for each L in the x}:alert(1)"><a href="{the L}{end for}">',
    { x: ['javascript', 'javascript'] },
  ],
  ['a branch before', '<a href="{if 1}javascript{end if}{the x}">', { x: ':alert(1)' }],
  ['a reference that a value ends', '<a href="javascript&{the x}alert(1)">', { x: 'colon;' }],
  ['a number that a value ends', '<a href="javascript&#{the x}alert(1)">', { x: '58;' }],
  ['a number in digits', '<a href="javascript&#{the x};alert(1)">', { x: 58 }],
  ['a reference of the template', '<a href="{the x}&#x0003A;alert(1)">', { x: 'javascript' }],
  ['a value in capitals', '<a href="{the x}:alert(1)">', { x: ' JAVASCRIPT' }],
  [
    'a tab within a list',
    '<svg><animate attributeName="href" values="ja{the x}A\tScript:alert(1)">',
    { x: 'v' },
  ],
  [
    'a value in an url() of CSS',
    '<a href="a" style="background:url({the x}:alert(1))">',
    { x: 'javascript' },
  ],
])('values do not join to a scheme with %s', (_name, source, properties) => {
  const html = rendered(source, properties);
  const { addresses, styles } = shapeOf(html);
  const all = [...addresses, ...styles.flatMap(({ css }) => css.match(/(?<=url\()[^)]*/g) ?? [])];
  expect([html, all.filter(isScript)]).toEqual([html, []]);
});

/** Contexts that execute code; `#` marks the value. */
const running = fc.constantFrom(
  `<p onclick="f('#')">`,
  `<p onclick='f("#")'>`,
  '<p onclick="f(`#`)">',
  '<p onclick="f(#)">',
  '<p onclick="#">',
  '<p onclick=#>',
  `<p onclick=f('#')>`,
  `<p ONCLICK = "a = '#'">`,
  `<p onmouseover="/* # */ f()">`,
  `<p onmouseover="f() // #">`,
  '<p onclick={the nope} title=#>',
  `<p {the handler}="#">`,
  `<p o{the rest}="#">`,
  `<p title {the handler}="f('#')">`,
  `<p {if the yes}onclick{else}title{end if}="#">`,
  `{if the yes}<p onclick="{else}<p title="{end if}f('#')">`,
  `<p {for each L in the list}onclick="f('#')" {end for}>`,
  `<svg onload="f('#')"></svg>`,
  '<iframe srcdoc="#"></iframe>',
  '<iframe srcdoc="<p>#</p>"></iframe>',
  `<iframe srcdoc="<p onclick='f(&quot;#&quot;)'>"></iframe>`,
  `<iframe srcdoc='<a href="#">a</a>'></iframe>`,
  `<a href="javascript:f('#')">a</a>`,
  `<a href="JavaScript&colon;f('#')">a</a>`,
  `<a href="java{the nope}script:f('#')">a</a>`,
  `<script>f('#')</script>`,
  '<script>f(`#`)</script>',
  '<script>var b = #;</script>',
  '<script>#</script>',
  `<svg><script>f('#')</script></svg>`,
  '<s{the cript}>#</s{the cript}>',
);

const invading = fc.constantFrom(
  'alert(1)',
  'alert`1`',
  `');alert(1)//`,
  '");alert(1)//',
  '`);alert(1)//',
  '${alert(1)}',
  ');alert(1)//',
  '*/alert(1)/*',
  '\nalert(1)',
  '\u2028alert(1)',
  '\\',
  `\\');alert(1)//`,
  '%27);alert(1)//',
  '&#39;);alert(1)//',
  '&quot;);alert(1)//',
  '&apos;);alert(1)//',
  '\\u0027);alert(1)//',
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '"><img src=x onerror=alert(1)>',
  'x onclick=alert(1)',
  'javascript:alert(1)',
  '[].at.constructor("alert(1)")()',
  'onerror=alert;throw 1',
);

/** Runs what a browser would run; returns whether it called `alert`. */
function alerts(code: readonly string[]): boolean {
  let called = false;
  const sandbox = { f: () => undefined, alert: () => (called = true) };
  for (const script of code) {
    try {
      runInNewContext(script, sandbox);
    } catch {
      // Invalid scripts run nothing.
    }
  }
  return called;
}

test('no value runs anything where a template runs something', () => {
  const data = { yes: true, list: ['a', 'b'], handler: 'onclick', rest: 'nclick', cript: 'cript' };
  fc.assert(
    fc.property(
      running,
      fc.oneof(
        invading,
        fc.array(invading, { maxLength: 3 }).map((all) => all.join('')),
      ),
      (place, x) => {
        const html = rendered(place.replace('#', "{the user's x}"), { ...data, x });
        expect([html, alerts(shapeOf(html).code)]).toEqual([html, false]);
      },
    ),
    { numRuns: runs(3_000) },
  );
});

test('the test would notice', () => {
  expect(alerts(shapeOf(`<iframe srcdoc="<p onclick='f(&quot;&quot;);alert(1)'>"></iframe>`).code)).toBe(
    true,
  );
});

const styled = fc.constantFrom(
  '<p style="color:#">',
  "<p style='color: #; top:0'>",
  '<p style=color:#>',
  '<p style="#">',
  '<p style="font-family:\'#\'">',
  '<p style="background:url(#)">',
  '<p style="background:url( \'#\' ); top:0">',
  '<p style="background:url(https://e.example/#.png)">',
  '<p style="background:url(&quot;/?q=#&quot;)">',
  '<style>p{color:#} a{top:0}</style>',
  '<style>p{content:"#"} a{top:0}</style>',
  '<style>p{background:url(#)} a{top:0}</style>',
  '<style>p{background:url("/#")} a{top:0}</style>',
  '<style>#</style>',
  '{if the yes}<p style="color:{else}<p title="{end if}#">',
);

const styling = fc.oneof(
  fc.constantFrom(
    'red;position:fixed',
    'red}*{display:none',
    'position:fixed',
    '*{display:none}',
    'a);position:fixed;x:url(b',
    `a');position:fixed;x:url('b`,
    'a");position:fixed;x:url("b',
    'a";position:fixed;x:"b',
    '</style><style>*{display:none}',
    '@import url(//evil.example)',
    '@import "//evil.example";',
    'expression(alert(1))',
    'javascript:alert(1)',
    'url(//evil.example/x)',
    'rgb(1,2,3);position:fixed',
    '/*',
    '*/ ;top:0',
    '\\',
    '\n',
  ),
  fc.string({ unit: fc.constantFrom(...`;:{}()"'\\/*@!#,<>&= \n\tau`), minLength: 1, maxLength: 12 }),
);

/** The rules, declarations and addresses that a parser of CSS finds. */
function rulesOf(html: string): string[] {
  const found: string[] = [];
  for (const { context, css } of shapeOf(html).styles) {
    walk(parseCss(css, { context, parseValue: true }), (node: CssNode) => {
      if (node.type === 'Declaration') found.push(node.property);
      else if (node.type === 'Rule') found.push(generate(node.prelude));
      else if (node.type === 'Atrule') found.push(`@${node.name}`);
      else if (node.type === 'Url') found.push(isScript(node.value) ? 'a script' : 'url');
    });
  }
  return found;
}

test('no value adds a rule, a declaration or a script to a style', () => {
  fc.assert(
    fc.property(styled, styling, (place, x) => {
      const source = place.replace('#', "{the user's x}");
      const plain = rendered(source, { yes: true, x: 'word' });
      const harmless = rulesOf(plain);
      const html = rendered(source, { yes: true, x });
      const rules = rulesOf(html);
      expect([html, rules.filter((rule) => !harmless.includes(rule))]).toEqual([html, []]);
      expect([html, rules.length <= harmless.length]).toEqual([html, true]);
      expect(shapeOf(html).elements).toEqual(shapeOf(plain).elements);
    }),
    { numRuns: runs(3_000) },
  );
});
