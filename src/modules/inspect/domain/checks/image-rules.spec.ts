/** Images: what is reported, and what is not. */
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
    'image_too_wide',
    '<img src="https://a.com/x.png" alt="" width="1200" height="1">',
    '<img src="https://a.com/x.png" alt="" width="600" height="1">',
  ],
  [
    'image_size_invalid',
    '<img src="https://a.com/x.png" alt="" width="600px" height="1">',
    '<img src="https://a.com/x.png" alt="" width="100%" height="1">',
  ],
  [
    'image_gap',
    '<table><tr><td><a href="https://a.com"><img src="https://a.com/x.png" alt="" width="600" height="200"></a></td></tr></table>',
    '<table><tr><td><img src="https://a.com/x.png" alt="" width="600" height="200" style="display:block"></td></tr></table>',
  ],
  [
    'image_gap',
    '<table><tr><td><img src="https://a.com/x.png" alt="" width="600" height="200"></td></tr></table>',
    '<style>img{display:block}</style><table><tr><td><img src="https://a.com/x.png" alt="" width="600" height="200"></td></tr></table>',
  ],
  [
    'image_gap',
    '<table><tr><td><img src="https://a.com/x.png" alt="" width="600" height="200"></td></tr></table>',
    '<table><tr><td>text <img src="https://a.com/x.png" alt="" width="600" height="200"></td></tr></table>',
  ],
  [
    'alt_file_name',
    '<img src="https://a.com/x.png" alt="IMG_1234.jpg">',
    '<img src="https://a.com/x.png" alt="A red shoe.">',
  ],
  [
    'alt_long',
    `<img src="https://a.com/x.png" alt="${'x'.repeat(201)}">`,
    `<img src="https://a.com/x.png" alt="${'x'.repeat(200)}">`,
  ],
  [
    'alt_vague',
    '<img src="https://a.com/x.png" alt="Image">',
    '<img src="https://a.com/x.png" alt="Image of a shoe">',
  ],
  [
    'image_address_blank',
    '<img src="https://a.com/my shoe.png" alt="">',
    '<img src="https://a.com/my%20shoe.png" alt="">',
  ],
  [
    'background_without_vml',
    '<table background="https://a.com/x.png"></table>',
    '<table background="https://a.com/x.png"></table><!--[if mso]><v:rect></v:rect><![endif]-->',
  ],
  [
    'image_embedded_large',
    `<img src="data:image/png;base64,${'A'.repeat(11_000)}" alt="">`,
    `<img src="data:image/png;base64,${'A'.repeat(9_000)}" alt="">`,
  ],
  [
    'images_unlinked',
    '<img src="https://a.com/x.png" alt="" width="600"><img src="https://a.com/x.png" alt="" width="300">',
    '<img src="https://a.com/x.png" alt="" width="600"><a href="https://a.com"><img src="https://a.com/x.png" alt="" width="20"></a>',
  ],
  [
    'images_unlinked',
    '<img src="https://a.com/x.png" alt=""><img src="https://a.com/x.png" alt="">',
    '<img src="https://a.com/x.png" alt="" width="600">',
  ],
  ['image_map', '<map name="a"></map>', '<p>map</p>'],
  [
    'image_width_by_style',
    '<img src="https://a.com/x.png" alt="" style="width:100%">',
    '<img src="https://a.com/x.png" alt="" width="600" style="width:100%">',
  ],
  [
    'image_distorted',
    '<img src="https://a.com/x.png" alt="" width="600" height="200" style="max-width:100%">',
    '<img src="https://a.com/x.png" alt="" width="600" height="200" style="max-width:100%;height:auto">',
  ],
  [
    'image_address_long',
    `<img src="https://a.com/${'x'.repeat(2_000)}" alt="">`,
    `<img src="https://a.com/${'x'.repeat(1_900)}" alt="">`,
  ],
  ['image_no_image', '<img src="https://a.com/x.pdf?a=b" alt="">', '<img src="https://a.com/pdf" alt="">'],
  [
    'image_share_page',
    '<img src="https://drive.google.com/file/d/1/view" alt="">',
    '<img src="https://drive.google.com/uc?id=1" alt="">',
  ],
  [
    'image_share_page',
    '<img src="https://www.dropbox.com/s/1/x.png?dl=0" alt="">',
    '<img src="https://www.dropbox.com/s/1/x.png?raw=1" alt="">',
  ],
  [
    'image_expires',
    '<img src="https://a.com/x.png?X-Amz-Expires=600&X-Amz-Signature=ab" alt="">',
    '<img src="https://a.com/x.png?v=2" alt="">',
  ],
])('%s is found, and not where it is not', (rule, bad, good) => {
  expect(found(bad)).toContain(rule);
  expect(found(good)).not.toContain(rule);
});
