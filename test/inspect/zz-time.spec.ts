import * as left from '../../src/modules/inspect/domain/left-over-text.js';
import * as markup from '../../src/modules/inspect/domain/markup.js';
import * as mt from '../../src/modules/inspect/domain/message-text.js';
import * as li from '../../src/modules/inspect/domain/links.js';
import * as im from '../../src/modules/inspect/domain/images.js';
import * as cs from '../../src/modules/inspect/domain/client-support.js';
import * as st from '../../src/modules/inspect/domain/structure.js';
import * as le from '../../src/modules/inspect/domain/legibility.js';
import { readEmail } from '../../src/modules/inspect/domain/parsed-email.js';
import { readSource, findingsIn } from '../../src/language/language.js';
import { renderFor } from '../../src/modules/inspect/domain/rendering.js';
import { blankExpressions } from '../../src/modules/inspect/domain/blanked-source.js';
import { checkTagBalance } from '../../src/modules/inspect/domain/tag-balance.js';
const M = 2_000_000;
const rep = (s: string): string => s.repeat(Math.floor(M / s.length));
test.each([
  ['values', rep("{the user's x}a ")],
  ['sheet', '<style>' + rep('a b c{color:red;x:y}') + '</style>'],
  ['brackets', rep('<')],
  ['text', rep('lorem ipsum ')],
])(
  '%s',
  (name, b) => {
    const out: string[] = [];
    const t = <T>(what: string, f: () => T): T => {
      const s = performance.now();
      const r = f();
      const d = performance.now() - s;
      if (d > 100) out.push(`${what} ${Math.round(d)}`);
      return r;
    };
    const r = t('readSource', () => readSource(b, null));
    t('findingsIn', () => findingsIn('body_html', b, r));
    t('blank', () => blankExpressions(b, r.tree.nodes));
    const bl = blankExpressions(b, r.tree.nodes);
    t('balance', () => checkTagBalance(bl));
    const { email } = t('readEmail', () => readEmail(b, r.tree.nodes));
    t('guill', () => left.checkGuillemets('x', b));
    if (email) {
      t('left', () => left.checkLeftOverText(email));
      t('markup', () => markup.checkMarkup(email));
      t('mt', () => mt.checkMessageText(email, 'x'));
      t('links', () => li.checkLinks(email));
      t('images', () => im.checkImages(email));
      t('cs', () => cs.checkClientSupport(email));
      t('st', () => st.checkStructure(email));
      t('le', () => le.checkLegibility(email));
    }
    t('render', () =>
      renderFor({ subject: 's', bodyHtml: b, bodyText: 'x', templateLanguage: null }, null, new Date()),
    );
    console.info(name, out.join(', '));
  },
  120000,
);
