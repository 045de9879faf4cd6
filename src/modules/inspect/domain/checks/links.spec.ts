/** Links: where they lead, and what they show. */
import { parseSource } from '../../../../language/language.js';
import { checkLinks } from './links.js';
import { readEmail } from '../email/parsed-email.js';

const codes = (html: string): string[] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? checkLinks(email).map(({ rule }) => rule) : ['too complex'];
};
const linkTo = (href: string): string => `<a href="${href}">the spring offer</a>`;

test.each<[string, string, string[]]>([
  ['a whole address', 'https://acme.com/shop?a=b#c', []],
  ['capitals in the scheme', 'HTTPS://ACME.com', []],
  ['nothing', '', ['link_empty']],
  ['blanks', '   ', ['link_empty']],
  ['a hash alone', '#', ['link_empty']],
  ['a place that is not there', '#top', ['link_anchor_missing']],
  ['a path', '/shop', ['link_relative']],
  ['a file', 'shop.html', ['link_relative']],
  ['a query', '?a=b', ['link_relative']],
  ['a host without scheme', 'www.acme.com/shop', ['link_relative']],
  ['a host with port, without scheme', 'acme.com:8080/shop', ['link_relative']],
  ['two slashes', '//acme.com/shop', ['link_relative']],
  ['javascript', 'javascript:alert(1)', ['link_dangerous']],
  ['javascript in disguise', ' jaVa\tscript:alert(1)', ['link_dangerous']],
  ['javascript behind an entity', '&#106;avascript:alert(1)', ['link_dangerous']],
  ['javascript behind a control character', '&#1;javascript:alert(1)', ['link_dangerous']],
  ['vbscript', 'vbscript:x', ['link_dangerous']],
  ['data', 'data:text/html,x', ['link_dangerous']],
  ['a file of the reader', 'file:///etc/passwd', ['link_dangerous']],
  ['http', 'http://acme.com', ['link_insecure']],
  ['no slashes', 'https:acme.com', ['link_malformed']],
  ['one slash', 'https:/acme.com', ['link_malformed']],
  ['no host', 'https://', ['link_malformed']],
  ['no colon', 'https//acme.com', ['link_malformed']],
  ['a scheme misspelt', 'htp://acme.com', ['link_scheme_unusual']],
  ['a scheme twice', 'https://https://acme.com', ['link_malformed']],
  ['a blank in the host', 'https://acme .com', ['link_malformed']],
  ['a blank in the path', 'https://acme.com/a b', []],
  ['a bad port', 'https://acme.com:99999/', ['link_malformed']],
  ['two dots in the host', 'https://acme..com/', ['link_malformed']],
  ['mailto', 'mailto:a@acme.com?subject=x', []],
  ['mailto to nobody', 'mailto:', ['link_malformed']],
  ['mailto without an address', 'mailto:ada', ['link_malformed']],
  ['tel', 'tel:+4930123', []],
  ['an app', 'acme-app://open', ['link_scheme_unusual']],
  ['localhost', 'https://localhost:3000/x', ['link_private']],
  ['localhost without scheme', 'localhost:3000/x', ['link_relative']],
  ['a name without a dot', 'https://intranet/x', ['link_private']],
  ['a local name', 'https://nas.local', ['link_private']],
  ['a private network', 'https://192.168.1.7/x', ['link_private']],
  ['another private network', 'https://10.0.0.1/x', ['link_private']],
  ['metadata of a cloud', 'http://169.254.169.254/', ['link_insecure', 'link_private']],
  ['a private address as one number', 'https://2130706433/', ['link_private']],
  ['a private address in hexadecimal', 'https://0x7f.1/', ['link_private']],
  ['a private address of IPv6', 'https://[::1]/', ['link_private']],
  ['a private address mapped into IPv6', 'https://[::ffff:127.0.0.1]/', ['link_private']],
  ['a public address', 'https://93.184.216.34/', ['link_ip_address']],
  ['an example', 'https://www.example.com/x', ['link_example']],
  ['no example', 'https://myexample.com/x', []],
  ['a shortener', 'https://bit.ly/3x', ['link_shortener']],
  ['credentials', 'https://paypal.com@evil.com/', ['link_credentials']],
  ['mixed scripts', 'https://раураl.com/', ['link_lookalike']],
  ['punycode', 'https://xn--80ak6aa92e.com/', ['link_lookalike']],
  ['umlauts', 'https://müller.de/', ['link_international']],
  ['an expression', "{the user's Url}", []],
  ['an expression behind a host', "https://acme.com/{the user's Id}", []],
  ['an expression as the host', "https://{the user's Shop}.acme.com/", []],
  ['an expression in a host that is not encrypted', "http://{the user's Shop}/", ['link_insecure']],
  ['an expression behind a path', "/shop/{the user's Id}", ['link_relative']],
  ['branches that are fine', "{if the user's A}https://a.com{else}https://b.com{end if}", []],
  ['a bad branch', "{if the user's A}https://a.com{else}http://b.com{end if}", ['link_insecure']],
  ['an expression as an address', "mailto:{the user's Email}", []],
])('%s', (_name, href, expected) => {
  expect(codes(linkTo(href))).toEqual(expected);
});

test.each<[string, string, string[]]>([
  ['an anchor is no link', '<a name="top"></a><a href="#top">Up again</a>', []],
  ['a link without address', '<a>Shop</a>', ['link_without_target']],
  ['a link without words', '<a href="https://acme.com"></a>', ['link_unnamed']],
  ['an image without alt', '<a href="https://acme.com"><img src="x"></a>', ['link_unnamed']],
  ['an image with an empty alt', '<a href="https://acme.com"><img src="x" alt=""></a>', ['link_unnamed']],
  ['an image with alt', '<a href="https://acme.com"><img src="x" alt="Shop"></a>', []],
  ['a label', '<a href="https://acme.com" aria-label="Shop"></a>', []],
  ['an expression as words', '<a href="https://acme.com">{the user\'s Name}</a>', []],
  ['click here', '<a href="https://acme.com"><b>Click</b> here!</a>', ['link_text_vague']],
  ['another domain', '<a href="https://evil.com">https://www.paypal.com/login</a>', ['link_text_mismatch']],
  ['a subdomain', '<a href="https://go.acme.co.uk/x">www.acme.co.uk</a>', []],
  ['two firms under one ending', '<a href="https://evil.co.uk/x">www.acme.co.uk</a>', ['link_text_mismatch']],
  ['a file name', '<a href="https://acme.com/x">report.pdf</a>', []],
  ['an area of a map', '<map><area href="/x"></map>', ['link_relative']],
])('%s', (_name, html, expected) => {
  expect(codes(html)).toEqual(expected);
});
