/** The context of a value determines its escaping: one line per context, the same value in each. */
import fc from 'fast-check';
import { runs } from '../../../test/support/test-scope.js';
import { compileTemplate } from './compiler.js';
import { parseTemplate } from './parser.js';

function html(source: string, x: unknown): string {
  const result = compileTemplate(parseTemplate(source), 'html').render({
    contact: { x, y: x, yes: true, list: [x] },
    now: new Date('2026-05-01T00:00:00Z'),
  });
  return result.kind === 'rendered' ? result.text : JSON.stringify(result);
}

const X = "{the user's x}";

describe('places', () => {
  test.each<[place: string, template: string, value: unknown, expected: string]>([
    ['text', `<p>${X}</p>`, `<b>&"'`, '<p>&lt;b&gt;&amp;&quot;&#39;</p>'],
    ['text without markup', X, '<b>', '&lt;b&gt;'],
    ['text after a stray <', `1 < 2 ${X}`, '<b>', '1 < 2 &lt;b&gt;'],
    ['as html', `<p>{the user's x, as "html"}</p>`, '<b>&</b>', '<p><b>&</b></p>'],
    ['as html after other modifiers', `{the user's x, uppercase, as "html"}`, '<b>', '<B>'],
    ['fallback', `{the user's nope, or "<b>Tom</b> &amp; Ann"}`, '', 'Tom &amp; Ann'],
    ['numbers', `${X} {the user's x plus 1}`, 41, '41 42'],
    ['lists', X, ['<a>', '&'], '&lt;a&gt;, &amp;'],
    ['a comment', `<!-- ${X} -->`, '--><b>', '<!-- &#45;&#45;&gt;&lt;b&gt; -->'],
    [
      'a double-quoted attribute',
      `<p title="${X}">`,
      `a "b" 'c' >`,
      '<p title="a &quot;b&quot; &#39;c&#39; &gt;">',
    ],
    ['a single-quoted attribute', `<p title='${X}'>`, `it's`, `<p title='it&#39;s'>`],
    ['an unquoted attribute', `<p title=${X}>`, 'a b=c', '<p title=a&#32;b&#61;c>'],
    [
      'an unquoted attribute, second part',
      `<p title=a${X}>`,
      'x onclick=1',
      '<p title=ax&#32;onclick&#61;1>',
    ],
    ['between attributes', `<p ${X}>`, 'onclick=x y', '<p onclick&#61;x&#32;y>'],
    ['a style attribute', `<p style="color:${X}">`, '#f00"', '<p style="color:#f00\\22 ">'],
    ['a colour of CSS', `<p style="color:${X}">`, 'rgb(1, 2, 3)', '<p style="color:rgb(1, 2, 3)">'],
    ['a style without quotes', `<p style=color:${X}>`, 'a;b', '<p style=color:a&#92;3b&#32;b>'],
    [
      'a picture of CSS',
      `<p style="background:url(${X})">`,
      "https://e.com/a b'.png?a&b",
      '<p style="background:url(https://e.com/a%20b%27.png?a&amp;b)">',
    ],
    [
      'a part of a picture of CSS',
      `<style>p{background:url("https://e.com/${X}.png")}</style>`,
      'a)b',
      '<style>p{background:url("https://e.com/a%29b.png")}</style>',
    ],
    [
      'a style element',
      `<style>a{color:${X}}</style>`,
      '</style>',
      '<style>a{color:\\3c /style\\3e }</style>',
    ],
    [
      'a script',
      `<script>"${X}"</script>`,
      '</a>"\\',
      '<script>"\\u003c\\u002fa\\u003e\\u0022\\u005c"</script>',
    ],
    ['a number in a script', `<script>{"price": ${X}}</script>`, -4.5, '<script>{"price": -4.5}</script>'],
    ['letters in a script', `<script>"${X}"</script>`, 'Größe 日本 😀', '<script>"Größe 日本 😀"</script>'],
    ['a handler', `<p onclick="f('${X}')">`, "it's", `<p onclick="f('it\\u0027s')">`],
    ['a handler without quotes', `<p onclick=f('${X}')>`, 'a b', `<p onclick=f('a&#32;b')>`],
    ['a document in an attribute', `<iframe srcdoc="${X}">`, '<b>', '<iframe srcdoc="\\u003cb\\u003e">'],
    ['the name of a tag', `<h${X}>`, 2, '<h2>'],
    ['no name of a tag', `<s${X}>`, 'cript', '<s>'],
    ['a scheme that a value gives', `<a href="${X}://e.com/">`, 'https', '<a href="https://e.com/">'],
    ['a host before a port', `<a href="${X}:80/">`, 'https://e.com', '<a href="https://e.com:80/">'],
    ['a part of a scheme', `<a href="javas${X}:a">`, 'cript', '<a href="javas#:a">'],
    [
      'a part of a path before a colon',
      `<a href="/{if the user's yes}a/{end if}${X}:1">`,
      'b',
      '<a href="/a/b:1">',
    ],
    ['after a script', `<script>a<b</script>${X}`, '<b>', '<script>a<b</script>&lt;b&gt;'],
    ['a title element', `<title>${X}</title>`, '<b>', '<title>&lt;b&gt;</title>'],
    [
      'a link query',
      `<a href="https://e.com/?q=${X}">`,
      'a b&c=d/é',
      '<a href="https://e.com/?q=a%20b%26c%3Dd%2F%C3%A9">',
    ],
    ['a link query, single quotes', `<a href='/?q=${X}'>`, "it's", "<a href='/?q=it&#39;s'>"],
    ['a link query with &amp;', `<a href="/?a=1&amp;q=${X}">`, 'x&y', '<a href="/?a=1&amp;q=x%26y">'],
    ['a second value in a query', `<a href="/?a=${X}&b=${X}">`, '&', '<a href="/?a=%26&b=%26">'],
    [
      'an image query',
      `<img src="https://e.com/i.png?u=${X}">`,
      'a/b',
      '<img src="https://e.com/i.png?u=a%2Fb">',
    ],
    ['a fragment', `<a href="#${X}">`, 'a b', '<a href="#a%20b">'],
    [
      'a link path',
      `<a href="https://e.com/${X}/x">`,
      'a b/c?d#e',
      '<a href="https://e.com/a%20b/c%3Fd%23e/x">',
    ],
    ['a whole link', `<a href="${X}">`, 'https://e.com/?a=1&b=2', '<a href="https://e.com/?a=1&amp;b=2">'],
    [
      'a whole link and a query',
      `<a href="${X}?u=${X}">`,
      'http://e/a b',
      '<a href="http://e/a b?u=http%3A%2F%2Fe%2Fa%20b">',
    ],
    ['mailto', `<a href="mailto:${X}">`, 'a+b@example.com', '<a href="mailto:a+b@example.com">'],
    ['tel', `<a href="tel:${X}">`, '+43 1', '<a href="tel:+43%201">'],
    ['an upper-case HREF', `<A HREF="/?q=${X}">`, 'a b', '<A HREF="/?q=a%20b">'],
    ['spaces around =', `<a href = "/?q=${X}">`, 'a b', '<a href = "/?q=a%20b">'],
    ['an unquoted href', `<a href=/?q=${X}>`, 'a b', '<a href=/?q=a%20b>'],
    [
      'an attribute after a link with a long parameter',
      `<a href="/?a=1&${'b'.repeat(100)}" title="${X}">${X}`,
      'a "b"',
      `<a href="/?a=1&${'b'.repeat(100)}" title="a &quot;b&quot;">a &quot;b&quot;`,
    ],
    ['a parameter with a name of its own', `<a href="/?a=1&${X}=2">`, 'a b', '<a href="/?a=1&a%20b=2">'],
    ['an attribute after a link', `<a href="/?q=1" title="${X}">`, 'a b', '<a href="/?q=1" title="a b">'],
    ['text with ? after a link', `<a href="/?q=1">why? ${X}</a>`, 'a b', '<a href="/?q=1">why? a b</a>'],
    ['data-href is no link', `<a data-href="/?q=${X}">`, 'a b', '<a data-href="/?q=a b">'],
    ['a number in a query', `<a href="/?q=${X}">`, 1.5, '<a href="/?q=1.5">'],
    ['a script address', `<a href="${X}">`, ' JavaScript:alert(1)', '<a href="#">'],
    ['a script address with a tab', `<a href="${X}">`, 'java\tscript:alert(1)', '<a href="#">'],
    ['a data address', `<a href="${X}">`, 'data:text/html,<b>', '<a href="#">'],
    [
      'an image address',
      `<img src="${X}">`,
      'data:image/png;base64,AA',
      '<img src="data:image/png;base64,AA">',
    ],
    [
      'a script address in two',
      `<a href="{the user's nope}${X}">`,
      'javascript:x',
      '<a href="javascript%3Ax">',
    ],
    ['half a surrogate pair', `<a href="/?q=${X}">`, 'a\ud800b', '<a href="/?q=a%EF%BF%BDb">'],
    [
      'an Outlook comment',
      `<!--[if mso]><a href="/?q=${X}"><![endif]-->`,
      'a b',
      '<!--[if mso]><a href="/?q=a%20b"><![endif]-->',
    ],
    [
      'a link in a branch',
      `{if the user's yes}<a href="/?q=${X}">{else}<a>{end if}${X}`,
      'a b',
      '<a href="/?q=a%20b">a b',
    ],
    [
      'a branch in a link',
      `<a href="/?{if the user's yes}q=${X}{end if}&r=${X}">`,
      'a b',
      '<a href="/?q=a%20b&r=a%20b">',
    ],
    [
      'a loop',
      `{for each L in the user's list}<a href="/?q={the L}">{the L}</a>{end for}`,
      '<>',
      '<a href="/?q=%3C%3E">&lt;&gt;</a>',
    ],
    [
      'a whole link that a branch may begin',
      `<a href="{if the user's nope}https://e.com/{end if}${X}">`,
      'javascript:alert(1)',
      '<a href="#">',
    ],
    [
      'a whole link that a loop may begin',
      `<a href="{for each L in the user's nope}https://e.com/{end for}${X}">`,
      'javascript:alert(1)',
      '<a href="#">',
    ],
    [
      'a query that a branch may begin',
      `<a href="https://e.com/{if the user's yes}?a=1{end if}/${X}">`,
      'a&b',
      '<a href="https://e.com/?a=1/a%26b">',
    ],
    [
      'branches that end alike',
      `<a href="/?{if the user's yes}a{else}b{end if}=${X}" title="${X}">${X}`,
      'a b',
      '<a href="/?a=a%20b" title="a b">a b',
    ],
    [
      'an attribute in a branch',
      `<td {if the user's yes}id="a"{end if} title="${X}">${X}`,
      'a "b"',
      '<td id="a" title="a &quot;b&quot;">a &quot;b&quot;',
    ],
    [
      'branches that leave different places',
      `{if the user's yes}<a href="{else}<p title='{end if}${X}`,
      `javascript:"'`,
      '<a href="#',
    ],
    [
      'a script or a text',
      `{if the user's yes}<script>{else}<p>{end if}${X}`,
      '</script> x',
      '<script>\\u003c\\u002fscript\\u003e x',
    ],
    ['behind a lone <', `Ann <${X}>`, 'img src=x onerror=alert(1)', 'Ann <&#105;mg src=x onerror=alert(1)>'],
    ['behind a lone <, closing', `Ann <${X}>`, '/p', 'Ann <&#47;p>'],
    ['behind a lone <, a number', `1 <${X}`, 5, '1 <5'],
    ['a value that may begin a tag', `<${X}b title=${X}>`, 'a b', '<&#97; bb title=a&#32;b>'],
    ['a link of its own slash', `<a href="/${X}">`, '/evil.example', '<a href="/%2Fevil.example">'],
    ['a link path with a slash', `<a href="/${X}">`, 'a/b', '<a href="/a/b">'],
    ['an object', `<object data="${X}">`, 'javascript:1', '<object data="#">'],
    ['an svg link', `<a xlink:href="${X}">`, 'javascript:1', '<a xlink:href="#">'],
    [
      'a mail with a subject',
      `<a href="mailto:a@e.com?subject=${X}">`,
      'Hi & bye\r\nBcc: x',
      '<a href="mailto:a@e.com?subject=Hi%20%26%20bye%0D%0ABcc%3A%20x">',
    ],
    ['joined texts', `{the user's list, joined with "&lt;br&gt;"}`, '<', '&lt;'],
    ['a replaced text', `{the user's x, replacing "a" with "&lt;b&gt;"}`, 'a', '&lt;b&gt;'],
    ['a fallback from data', `{the user's nope, or the user's x}`, '<b>', '&lt;b&gt;'],
    ['a format that does not fit', `{the user's x, as "currency"}`, '<b>', '&lt;b&gt;'],
    ['a script address from a fallback', `<a href="{the nope, or 'javascript:1'}">`, '', '<a href="#">'],
    ['quotes in braces in an attribute', `<p title="{the user's x, or "y"}">`, '', '<p title="y">'],
  ])('%s', (_place, template, value, expected) => {
    expect(html(template, value)).toBe(expected);
  });

  test('plain text is left alone', () => {
    const compiled = compileTemplate(parseTemplate(`<a href="/?q=${X}">`), 'text');
    expect(compiled.render({ contact: { x: 'a b<' }, now: new Date(0) })).toEqual({
      kind: 'rendered',
      text: '<a href="/?q=a b<">',
    });
  });
});

describe('no value gets out of its place', () => {
  const places = [
    `<p>${X}</p>`,
    `<p title="${X}">`,
    `<p title='${X}'>`,
    `<p title=${X}>`,
    `<p title=a${X}>`,
    `<p ${X}>`,
    `<a href="${X}">`,
    `<a href='/?q=${X}'>`,
    `<a href="/a/${X}">`,
    `<a href=${X}>`,
    `<script>${X}</script>`,
    `<style>${X}</style>`,
    `<!-- ${X} -->`,
    `<textarea>${X}</textarea>`,
  ];
  const nasty = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '=', ' ', '/', '-', '!', 'a', '\n', '`', '\\', ':'),
    }),
  );

  test.each(places)('%s', (template) => {
    const [before = '', after = ''] = template.split(X);
    fc.assert(
      fc.property(nasty, (value) => {
        const text = html(template, value);
        expect(text.startsWith(before) && text.endsWith(after)).toBe(true);
        const written = text.slice(before.length, text.length - after.length);
        expect(written).not.toMatch(/[<>"']/);
        if (/<\w+ (?:\w+=\w*)?$/.test(before)) expect(written).not.toMatch(/[\s=]/);
      }),
      { numRuns: runs(300) },
    );
  });
});
