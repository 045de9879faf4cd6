import { escapeHtml } from './escape-html.js';

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['&', '&amp;'],
  [`a<b> & "c" 'd'`, 'a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;'],
  ['<script>', '&lt;script&gt;'],
  ['Søhne 😀 = `x`', 'Søhne 😀 = `x`'],
])('%j is written as %j', (text, html) => expect(escapeHtml(text)).toBe(html));
