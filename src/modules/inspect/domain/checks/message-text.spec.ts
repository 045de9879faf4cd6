/** Which parts of a message count as text. */
import { parseSource } from '../../../../language/language.js';
import { checkMessageText } from './message-text.js';
import { readEmail } from '../email/parsed-email.js';

const codes = (html: string, text = 'text'): string[] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? checkMessageText(email, text).map(({ rule }) => rule) : ['too complex'];
};
const PRE = '<div style="display:none">Before</div>';
const LEAVE = '<a href="https://a.com/unsubscribe">Leave</a>';
const IMAGE = '<img src="https://a.com/x.png" alt="">';

test.each<[string, string, string, string[]]>([
  ['all there', `${PRE}<p>Hello</p>${LEAVE}`, 'x', []],
  ['nothing', '<p> </p>', '', ['body_empty', 'unsubscribe_missing']],
  ['nothing visible', `${PRE}&#8203;`, 'x', ['body_empty', 'unsubscribe_missing']],
  ['no plain text', `${PRE}<p>Hello</p>${LEAVE}`, ' ', ['plain_text_missing']],
  ['one image', `${PRE}${IMAGE}${LEAVE}`, 'x', ['image_only']],
  ['one image and a little', `${PRE}${IMAGE}<p>${'x'.repeat(30)}</p>${LEAVE}`, 'x', ['little_text']],
  ['one image and enough', `${PRE}${IMAGE}<p>${'x'.repeat(200)}</p>${LEAVE}`, 'x', []],
  [
    'values count as text',
    `${PRE}${IMAGE}<p>{the user's A} {the user's B}</p>${LEAVE}`,
    'x',
    ['little_text'],
  ],
  ['no preheader', `<p>Hello</p>${LEAVE}`, 'x', ['preheader_missing']],
  ['a preheader by class', `<span class="preheader">Before</span>${LEAVE}`, 'x', []],
  ['no link to leave', `${PRE}<p>Hello</p>`, 'x', ['unsubscribe_missing']],
  ['a link by its words', `${PRE}<p>Hello</p><a href="https://a.com">Abmelden</a>`, 'x', []],
  [
    'a link by its expression',
    `${PRE}<p>Hello</p><a href="{the user's Unsubscribe Link}">Leave</a>`,
    'x',
    [],
  ],
])('%s', (_name, html, text, expected) => {
  expect(codes(html, text)).toEqual(expected);
});
