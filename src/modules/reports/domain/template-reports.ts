/**
 * The template reports that a workspace gets with its first list: one for each type except custom, as examples to copy.
 */
import { DEFAULT_CONFIG, type Report, type ReportConfig, type ReportType } from './report.js';

interface Template {
  readonly reportType: ReportType;
  readonly name: string;
  readonly description: string;
  readonly config: Partial<ReportConfig>;
}

const TEMPLATES: readonly Template[] = [
  {
    reportType: 'email_performance',
    name: 'Email performance',
    description: 'Messages per day, from sending to click.',
    config: {
      metrics: ['sent', 'delivered', 'opened', 'clicked', 'open_rate', 'click_rate'],
      dimensions: ['date'],
      comparisonEnabled: true,
    },
  },
  {
    reportType: 'flow_performance',
    name: 'Flow performance',
    description: 'Trips that entered, completed and converted, by flow.',
    config: {
      dataSource: 'flow_trips',
      metrics: ['entered', 'completed', 'completion_rate', 'conversions', 'conversion_rate'],
      dimensions: ['flow'],
      chartType: 'bar',
    },
  },
  {
    reportType: 'contact_growth',
    name: 'Contact growth',
    description: 'New, unsubscribed and deleted contacts per day.',
    config: {
      dataSource: 'contacts',
      metrics: ['net_growth', 'created', 'unsubscribed', 'deleted', 'total'],
      dimensions: ['date'],
      chartType: 'area',
      comparisonEnabled: true,
    },
  },
  {
    reportType: 'deliverability',
    name: 'Deliverability',
    description: 'Deliveries, bounces and complaints by recipient domain.',
    config: {
      metrics: ['sent', 'delivered', 'bounced', 'complained', 'bounce_rate', 'complaint_rate'],
      dimensions: ['recipient_domain'],
      chartType: 'bar',
    },
  },
  {
    reportType: 'engagement',
    name: 'Engagement',
    description: 'Weekly open, click, unsubscribe and complaint rates.',
    config: {
      metrics: ['open_rate', 'click_rate', 'click_to_open_rate', 'unsubscribe_rate', 'opened', 'clicked'],
      dimensions: ['week'],
      dateRangeDefault: '90d',
    },
  },
  {
    reportType: 'plan_usage',
    name: 'Plan usage',
    description: 'Messages that count toward the monthly limit: sent and suppressed.',
    config: { metrics: ['sent', 'suppressed'], dimensions: ['date'], chartType: 'bar' },
  },
  {
    reportType: 'funnel_analysis',
    name: 'Email funnel',
    description: 'How far messages get, by what they were sent for.',
    config: {
      metrics: ['sent', 'delivered', 'opened', 'clicked'],
      dimensions: ['source'],
      chartType: 'bar',
      comparisonEnabled: true,
    },
  },
  {
    reportType: 'flow_comparison',
    name: 'Flow comparison',
    description: 'Completion, duration and conversions of flows, side by side.',
    config: {
      dataSource: 'flow_trips',
      metrics: ['entered', 'completion_rate', 'conversion_rate', 'median_hours', 'in_flight'],
      dimensions: ['flow'],
      chartType: 'table',
    },
  },
  {
    reportType: 'flow_group_performance',
    name: 'Flow groups',
    description: 'Flows by their tags.',
    config: {
      dataSource: 'flow_trips',
      metrics: ['entered', 'completed', 'completion_rate', 'conversions', 'conversion_rate'],
      dimensions: ['tag'],
      chartType: 'bar',
    },
  },
];

/** @param newId called once per report. */
export function templateReports(newId: () => string, now: Date): Report[] {
  return TEMPLATES.map(({ config, ...template }) => ({
    ...template,
    id: newId(),
    visibility: 'workspace',
    config: { ...DEFAULT_CONFIG, ...config },
    isTemplate: true,
    createdBy: null,
    version: 1,
    lastViewedAt: null,
    createdAt: now,
    updatedAt: now,
  }));
}
