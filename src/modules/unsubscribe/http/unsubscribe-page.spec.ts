import { createHash } from 'node:crypto';
import { PAGE_HEADERS, renderUnsubscribePage } from './unsubscribe-page.js';

const HOSTILE = '<script>alert(1)</script>"\'&';

describe('the unsubscribe page', () => {
  test('asks with a form that needs no script', () => {
    const page = renderUnsubscribePage({ kind: 'question', sender: 'Acme', action: '/u?token=x' });
    expect(page).toContain('<form method="post" action="/u?token&#x3D;x"><button type="submit">');
    expect(page).not.toMatch(/<script|\son\w+=/i);
  });

  test('escapes what comes from outside', () => {
    for (const page of [
      renderUnsubscribePage({ kind: 'question', sender: HOSTILE, action: HOSTILE }),
      renderUnsubscribePage({ kind: 'done', sender: HOSTILE }),
    ]) {
      expect(page).not.toContain('<script');
      expect(page).toContain('&lt;script&gt;');
    }
  });

  test('allows its own style and nothing else', () => {
    const style = /<style>(.*?)<\/style>/s.exec(renderUnsubscribePage({ kind: 'invalid' }))?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(PAGE_HEADERS['content-security-policy']).toContain(
      `default-src 'none'; style-src 'sha256-${hash}'`,
    );
  });
});
