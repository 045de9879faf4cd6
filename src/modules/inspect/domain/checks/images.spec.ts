/** Images: whether they load, and what replaces them if they do not. */
import { parseSource } from '../../../../language/language.js';
import { checkImages } from './images.js';
import { readEmail } from '../email/parsed-email.js';

const codes = (html: string): string[] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? checkImages(email).map(({ rule }) => rule) : ['too complex'];
};

test.each<[string, string, string[]]>([
  ['a sound image', 'src="https://a.com/x.png" alt="A" width="1" height="1"', []],
  ['decoration', 'src="https://a.com/x.png" alt="" width="1" height="1"', []],
  ['decoration by role', 'src="https://a.com/x.png" role="presentation" width="1" height="1"', []],
  ['no alt', 'src="https://a.com/x.png" width="1" height="1"', ['image_without_alt']],
  ['no size', 'src="https://a.com/x.png" alt="A"', ['image_without_size']],
  ['a size by style', 'src="https://a.com/x.png" alt="A" style="width:1px;height:auto"', []],
  ['half a size', 'src="https://a.com/x.png" alt="A" width="1"', ['image_without_size']],
  ['no src', 'alt="A" width="1" height="1"', ['image_without_source']],
  ['an empty src', 'src="" alt="A" width="1" height="1"', ['image_without_source']],
  ['a relative src', 'src="/x.png" alt="A" width="1" height="1"', ['image_relative']],
  ['http', 'src="http://a.com/x.png" alt="A" width="1" height="1"', ['image_insecure']],
  ['data', 'src="data:image/png;base64,AAAA" alt="A" width="1" height="1"', ['image_embedded']],
  ['an attachment', 'src="cid:logo" alt="A" width="1" height="1"', ['image_unreachable']],
  ['a file', 'src="file:///x.png" alt="A" width="1" height="1"', ['image_unreachable']],
  ['localhost', 'src="https://localhost/x.png" alt="A" width="1" height="1"', ['image_unreachable']],
  ['an example', 'src="https://example.com/x.png" alt="A" width="1" height="1"', ['image_example']],
  ['a malformed address', 'src="https:/a.com/x.png" alt="A" width="1" height="1"', ['image_malformed']],
  ['an expression', 'src="{the user\'s Picture}" alt="{the user\'s Name}" width="1" height="1"', []],
  ['an expression among the attributes', 'src="https://a.com/x.png" {the user\'s More}', []],
])('%s', (_name, attributes, expected) => {
  expect(codes(`<img ${attributes}>`)).toEqual(expected);
});

test.each<[string, string, string[]]>([
  ['a background attribute', '<td background="bg.png">', ['image_relative']],
  ['a background of a style attribute', '<p style="background:url(bg.png)">', ['image_relative']],
  [
    'a background of a sheet',
    '<style>p{background-image:url("http://a.com/b.png")}</style>',
    ['image_insecure'],
  ],
  ['a background by expression', '<p style="background:url({the user\'s Picture})">', []],
  [
    'forty images are enough',
    '<img src="https://a.com/x.png" alt="" width="1" height="1">'.repeat(41),
    ['image_many'],
  ],
])('%s', (_name, html, expected) => {
  expect(codes(html.startsWith('<td') ? `<table><tr>${html}</td></tr></table>` : html)).toEqual(expected);
});
