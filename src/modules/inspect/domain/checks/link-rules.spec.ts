/** Links: what is reported, and what is not. */
import { parseSource } from '../../../../language/language.js';
import { readEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { checkEmail } from './source-findings.js';

const found = (html: string): RuleName[] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? checkEmail(email, 'text').map(({ rule }) => rule) : ['too_complex'];
};

test.each<[RuleName, string, string]>([
  [
    'link_address_long',
    `<a href="https://a.com/${'x'.repeat(2_000)}">Shop</a>`,
    `<a href="https://a.com/${'x'.repeat(1_900)}">Shop</a>`,
  ],
  [
    'link_tracking_repeated',
    '<a href="https://a.com/?utm_source=a&utm_source=b">Shop</a>',
    '<a href="https://a.com/?utm_source=a&utm_medium=b&id=1&id=2">Shop</a>',
  ],
  [
    'link_query_malformed',
    '<a href="https://a.com/?a=1?utm_source=b">Shop</a>',
    '<a href="https://a.com/?a=1&utm_source=b">Shop</a>',
  ],
  [
    'link_tracking_repeated',
    '<a href="https://a.com/?utm_source_platform=a&UTM_source_platform=b">Shop</a>',
    '<a href="https://a.com/?utm_source=a&utm_source_platform=b">Shop</a>',
  ],
  [
    'link_query_malformed',
    '<a href="https://a.com/?id=1?ref=mail">Shop</a>',
    '<a href="https://a.com/?id=1&q=what?">Shop</a>',
  ],
  [
    'link_query_malformed',
    '<a href="https://a.com/x&utm_source=b">Shop</a>',
    '<a href="https://a.com/r?to=https://b.com/?c=d">Shop</a>',
  ],
  [
    'link_encoded_twice',
    '<a href="https://a.com/a%2520b">Shop</a>',
    '<a href="https://a.com/a%20b">Shop</a>',
  ],
  ['link_address_blank', '<a href="https://a.com/a b">Shop</a>', '<a href="https://a.com/a%20b">Shop</a>'],
  [
    'link_address_blank',
    '<a href="https://a.com/a b">Shop</a>',
    `<a href="https://a.com/{the user's A}">Shop</a>`,
  ],
  ['link_blank_around', '<a href=" https://a.com/">Shop</a>', '<a href="https://a.com/">Shop</a>'],
  [
    'links_nested',
    '<a href="https://a.com">A <a href="https://b.com">B</a></a>',
    '<a href="https://a.com">A</a> <a href="https://b.com">B</a>',
  ],
  [
    'links_nested',
    '<a href="https://a.com">A <a href="https://b.com">B</a></a>',
    '<a name="top"><a href="https://b.com">B</a>',
  ],
  [
    'links_nested',
    '<a href="https://a.com">A <a href="https://b.com">B</a></a>',
    `{if the user's A}<a href="https://a.com">{else}<a href="https://b.com">{end if}B</a>`,
  ],
  [
    'link_repeated_beside',
    '<a href="https://a.com">A</a> <a href="https://a.com">B</a>',
    '<a href="https://a.com">A</a> or <a href="https://a.com">B</a>',
  ],
  [
    'links_many',
    '<a href="https://a.com">A</a> or '.repeat(101),
    '<a href="https://a.com">A</a> or '.repeat(100),
  ],
  ['link_port', '<a href="https://a.com:8443/x">Shop</a>', '<a href="https://a.com:443/x">Shop</a>'],
  ['link_tel_malformed', '<a href="tel:call-me">Shop</a>', '<a href="tel:+1 (415) 555-0100;ext=12">Shop</a>'],
  [
    'link_mailto_malformed',
    '<a href="mailto:a@b.com?subject=Hello you">Shop</a>',
    '<a href="mailto:a@b.com?subject=Hello%20you">Shop</a>',
  ],
  [
    'link_mailto_malformed',
    '<a href="mailto:a@@b.com">Shop</a>',
    '<a href="mailto:a@b.com,c@d.com">Shop</a>',
  ],
  ['link_staging', '<a href="https://staging.acme.com/">Shop</a>', '<a href="https://dev.to/acme">Shop</a>'],
  [
    'link_staging',
    '<a href="https://shop-dev.acme.com/">Shop</a>',
    '<a href="https://devices.acme.com/">Shop</a>',
  ],
  [
    'link_staging',
    '<a href="https://ab12.ngrok.io/">Shop</a>',
    `<a href="https://{the user's Shop}.acme.com/">Shop</a>`,
  ],
  [
    'link_working_document',
    '<a href="https://docs.google.com/document/d/1/edit">Shop</a>',
    '<a href="https://docs.google.com/document/d/e/1/pub">Shop</a>',
  ],
  [
    'link_program',
    '<a href="https://a.com/setup.exe">Shop</a>',
    '<a href="https://a.com/setup.exe.html">Shop</a>',
  ],
  [
    'link_program',
    '<a href="https://a.com/prices.xlsm">Shop</a>',
    '<a href="https://a.com/prices.xlsx">Shop</a>',
  ],
  ['link_file', '<a href="https://a.com/all.tar.gz?x">Shop</a>', '<a href="https://a.com/zip">Shop</a>'],
  ['link_file', '<a href="https://a.com/x.docx">Shop</a>', '<a href="https://a.com/x.pdf">Shop</a>'],
  [
    'unsubscribe_without_link',
    '<p>To unsubscribe, write to us.</p>',
    '<p>To unsubscribe, <a href="https://a.com/unsubscribe">go here</a>.</p>',
  ],
  [
    'link_text_address',
    '<a href="https://a.com">https://a.com/a/very/long/address/that/goes/on</a>',
    '<a href="https://a.com">https://a.com/x</a>',
  ],
  [
    'link_network_home',
    '<a href="https://www.facebook.com/">Shop</a>',
    '<a href="https://www.facebook.com/acme">Shop</a>',
  ],
  [
    'link_admin',
    '<a href="https://a.com/wp-admin/post.php">Shop</a>',
    '<a href="https://a.com/wp-adminton">Shop</a>',
  ],
  [
    'link_secret',
    '<a href="https://a.com/?api_key=abc">Shop</a>',
    `<a href="https://a.com/?access_token={the user's Token}">Shop</a>`,
  ],
  [
    'link_secret',
    '<a href="https://a.com/?x=1&session_id=0123456789abcdef">Shop</a>',
    '<a href="https://a.com/?session=3&token=0123456789abcdef">Shop</a>',
  ],
  [
    'link_secret',
    `<a href="https://a.com/?session_id={the user's Session}">Shop</a>`,
    `<a href="https://a.com/?id={the user's Id}">Shop</a>`,
  ],
  [
    'link_secret',
    '<a href="https://a.com/?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN">Shop</a>',
    '<a href="https://a.com/?t=eyJhbGci">Shop</a>',
  ],
  [
    'button_padding_missing',
    '<a href="https://a.com" style="background:#000000;color:#ffffff">Buy</a>',
    '<a href="https://a.com" style="background:#000000;color:#ffffff;padding:12px">Buy</a>',
  ],
])('%s is found, and not where it is not', (rule, bad, good) => {
  expect(found(bad)).toContain(rule);
  expect(found(good)).not.toContain(rule);
});
