import {
  comparedByDay,
  dayAt,
  emailsByDay,
  emailsByFlow,
  HOSTILE,
  OPEN_RATE,
  sampleData,
  sampleReport,
  SENT,
} from '../../../../test/support/report-samples.js';
import { renderReportEmail } from './render-report-email.js';

const PLAIN = { chartImage: false, csvAttachment: false, kpiOnly: false } as const;
const ANOMALY = { metric: 'open_rate', at: dayAt(2), value: 20, low: 31, high: 42 };

test('the subject is the name and the period', () => {
  expect(renderReportEmail(sampleReport(), emailsByDay(31), PLAIN).subject).toBe(
    'Email performance: Mar 1 – 31, 2026',
  );
});

test.each([...HOSTILE, 'ä'.repeat(255), '📈'.repeat(255), ''])(
  'the subject of %j is one line of 255 characters at most',
  (name) => {
    const { subject } = renderReportEmail(sampleReport({ name }), emailsByDay(31), PLAIN);
    expect(subject).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
    expect([...subject].length).toBeLessThanOrEqual(255);
    expect(subject).toMatch(/\S: Mar 1 – 31, 2026$/);
  },
);

describe('figures', () => {
  const data = comparedByDay(31, { metrics: [SENT, OPEN_RATE], anomalies: [ANOMALY] });
  const { html, text } = renderReportEmail(sampleReport(), data, PLAIN);
  const said = html.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ');

  test('are the same with HTML and without: tiles with their change, rows, what is unusual', () => {
    const rows = data.rows
      .slice(0, 25)
      .flatMap(({ metrics }) => [
        (metrics['sent'] ?? 0).toLocaleString('en'),
        `${(metrics['open_rate'] ?? 0).toFixed(2)}%`,
      ]);
    const totals = [
      data.totals['sent']?.toLocaleString('en') ?? '',
      data.comparison?.totals['sent']?.toLocaleString('en') ?? '',
    ];
    const unusual = 'Open rate on Mar 3, 2026: 20.00%, below its usual 31.00% to 42.00%.';
    for (const figure of [...totals, ...rows, unusual, 'Mar 1, 2026', 'Mar 25, 2026', 'Mar 1 – 31, 2026']) {
      expect(said).toContain(figure);
      expect(text).toContain(figure);
    }
    for (const body of [said, text]) {
      expect(body).not.toContain('Mar 26, 2026');
      expect(body).toContain('the first 25 rows of 31');
    }
    expect(said).toContain(`▲ ${data.comparison?.change['sent']}%`);
    expect(text).toContain(`up by ${data.comparison?.change['sent']}%`);
    expect(html + text).not.toMatch(/href=|https?:/);
  });

  test('stand beneath one another without HTML', () => {
    const lines = text.split('\n').filter((line) => /^Mar \d+, 2026 /.test(line));
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});

test.each([
  ['nothing else', PLAIN, { chart: false, rows: true, file: false }],
  ['a chart', { ...PLAIN, chartImage: true }, { chart: true, rows: true, file: false }],
  ['a file', { ...PLAIN, csvAttachment: true }, { chart: false, rows: true, file: true }],
  [
    'tiles alone',
    { chartImage: true, csvAttachment: true, kpiOnly: true },
    { chart: false, rows: false, file: true },
  ],
] as const)('with %s', (_name, options, { chart, rows, file }) => {
  const { html, text } = renderReportEmail(sampleReport(), emailsByDay(31), options);
  expect(html.includes('<img src="cid:chart" alt="Line chart of Sent, Opened, Clicked by date')).toBe(chart);
  expect(html.match(/<img/g)?.length ?? 0).toBe(chart ? 1 : 0);
  for (const body of [html, text]) {
    expect(body.includes('Mar 3, 2026')).toBe(rows);
    expect(body.includes('attached as a CSV file')).toBe(file);
    expect(body).toContain('Sent');
  }
});

test('holds in mail programs: tables, light without a style sheet and dark with one, small enough not to be cut off', () => {
  const { html } = renderReportEmail(sampleReport(), comparedByDay(90), { ...PLAIN, chartImage: true });
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('@media (prefers-color-scheme:dark)');
  expect(html).not.toMatch(/flex|grid|<script|<link|<svg|url\(|https?:/);
  // Gmail clips longer messages.
  expect(Buffer.byteLength(html)).toBeLessThan(102_400);
});

test('the widest report has the columns that a telephone has room for, and says that it has more', () => {
  const metrics = Array.from({ length: 12 }, (_, index) => ({ ...SENT, label: `Metric ${index}` }));
  const { html } = renderReportEmail(sampleReport(), emailsByDay(3, { metrics }), PLAIN);
  expect(html.match(/<th /g)).toHaveLength(5);
  expect(html).toContain('8 fewer columns than the report');
});

test('whatever names there are, no markup comes of them, and no line of the text that begins as one of ours', () => {
  for (const hostile of HOSTILE) {
    const data = emailsByFlow([hostile], 0, { metrics: [{ ...SENT, label: hostile }] });
    const { html, text } = renderReportEmail(sampleReport({ name: hostile }), data, {
      ...PLAIN,
      chartImage: true,
    });
    const shape = renderReportEmail(
      sampleReport({ name: 'x' }),
      emailsByFlow(['x'], 0, { metrics: [{ ...SENT, label: 'x' }] }),
      { ...PLAIN, chartImage: true },
    );
    expect(tagsOf(html)).toEqual(tagsOf(shape.html));
    expect(text.split('\n').length).toBe(shape.text.split('\n').length);
    expect(html + text).not.toMatch(/[\u0000\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/u);
  }
});

test('a report without rows has tiles, and says that there is nothing in its chart’s place', () => {
  const { html, text } = renderReportEmail(sampleReport(), sampleData(), { ...PLAIN, chartImage: true });
  expect(html).toContain('alt="No data in this period');
  expect(html).not.toContain('<th ');
  expect(text).toContain('Sent: 0\n');
});

function tagsOf(html: string): (string | undefined)[] {
  return [...html.matchAll(/<(\/?\w+)/g)].map(([, name]) => name);
}
