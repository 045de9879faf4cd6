import { type FieldSubject, subjectOf } from './opt-out-names.js';

const NAMES: Readonly<Record<FieldSubject, readonly string[]>> = {
  unsubscribed: [
    ...[
      'unsubscribed',
      'Unsubscribed',
      'UNSUBSCRIBED',
      'unsubscribe',
      'unsub',
      'unsubscribed_at',
      'UnsubscribedAt',
    ],
    ...[
      'Email Unsubscribed Date',
      'Unsubscribed from all email',
      'unsubscribedfromemails',
      'has_unsubscribed',
    ],
    ...[
      'isunsubscribed',
      'date_unsubscribed',
      'unsubscribed_on',
      'unsub_time',
      'mc_unsubscribed',
      'unsubscribed_2',
    ],
    ...[
      'Opted out of all email',
      'HasOptedOutOfEmail',
      'hasoptedoutofemail',
      'opt_out',
      'Opt-Out',
      'optout',
      'opted out',
    ],
    ...[
      'opt_out_date',
      'OPTOUTDATE',
      'is_opted_out',
      'email_marketing_opt_out',
      'Email_Opt_Out__c',
      'opt_out_flag',
    ],
    ...[
      'hs_email_optout',
      'emailoptout',
      'emailOptOut',
      'opted_out_of_marketing_communications',
      'opt_out_2',
    ],
    ...[
      'do_not_contact',
      'DoNotContact',
      'donotemail',
      'Do Not E-Mail',
      "Don't email",
      'no_email',
      'no_marketing',
    ],
    ...['is_suppressed', 'Suppressed', 'suppression_reason', 'blocked', 'is_blocked', 'blocked_at'],
    ...['email_blacklisted', 'blocklisted', 'block_list', 'abgemeldet', 'abgemeldet_am', 'Désabonné'],
    ...['Portal Unsubscribe', 'email_disabled', 'emails_disabled', 'Disabled newsletter', 'UNSUB_TIME'],
    ...['emailBlacklisted', 'EMAIL_BLACKLISTED', 'Email Suppressions', 'OptOut_Date', 'DoNotBulkEMail'],
    ...['Do not allow Bulk Emails', 'hs_email_quarantined', 'Email address quarantined', 'Uitgeschreven'],
    ...['Gesperrt', 'Bloqueado', 'Opt-Out Datum', 'abgemeldet_datum'],
    ...['excluded_from_campaigns', 'Marketing Suspended', 'isExcludedFromCampaigns'],
    ...['not_subscribed', 'never_subscribed', 'crm_unsubscribed', 'unsubscribed_reason', '"Unsubscribed"'],
  ],
  bounced: [
    ...[
      'bounced',
      'hard_bounce',
      'hard_bounced',
      'HardBounced',
      'hardbounced',
      'email_bounced',
      'is_bounced',
    ],
    ...['CLEAN_TIME', 'clean_date', 'hs_email_bad_address'],
    ...['bounced_at', 'EmailBouncedDate', 'cleaned', 'invalid_email', 'email_invalid', 'undeliverable'],
  ],
  complained: [
    ...[
      'complained',
      'complaint',
      'spam_complaint',
      'spam_complaints',
      'marked_as_spam',
      'marked_email_as_spam',
    ],
    ...['Portal Spam Report', 'IsSpamComplaining'],
    ...['reported_spam', 'spam_reported_at', 'has_complained', 'Complaint Date'],
  ],
  bounce_reason: [
    'Portal Bounce',
    'Global Bounce',
    'Email hard bounce reason',
    'hs_email_hard_bounce_reason_enum',
  ],
  bounce_type: ['bounce_status', 'Bounce Type', 'bounceCategory', 'email_bounce_state'],
  consent: [
    ...[
      'subscribed_to_emails',
      'email_enabled',
      'Emails enabled',
      'receives_marketing',
      'wants_newsletter',
      'mailable',
    ],
    ...[
      'accepts_marketing',
      'Accepts Email Marketing',
      'Email Marketing Consent',
      'subscribed',
      'is_subscribed',
    ],
    ...[
      'opt_in',
      'optin',
      'emailOptIn',
      'marketing_opt_in',
      'opted_in',
      'newsletter_subscribed',
      'subscribed_to_newsletter',
    ],
  ],
  mail_status: [
    ...[
      'subscription_status',
      'Subscription state',
      'emailsubscriptionstatus',
      'email_subscribe',
      'E-Mail Status',
    ],
    'marketing_status',
    ...[
      'Email permission status',
      'subscribeStatus',
      'email_marketing_status',
      'Email Marketing Subscription Status',
    ],
  ],
  status: [
    ...['Global Status', 'list_status', 'Mailing Status', 'subscriber_state', 'Email Marketing'],
    ...['status', 'Status', 'contact_status', 'Member Status', 'subscriberStatus'],
  ],
};

test.each(Object.entries(NAMES).flatMap(([subject, names]) => names.map((name) => [name, subject])))(
  '%s tells of %s',
  (name, subject) => {
    expect(subjectOf(name)).toBe(subject);
    expect(subjectOf(name)).toBe(subject);
  },
);

test.each([
  ...[
    'sms_opt_out',
    'sms_unsubscribed',
    'unsubscribed_from_sms',
    'push_opt_out',
    'push_unsubscribed_at',
    'DoNotCall',
  ],
  ...[
    'do_not_call',
    'phone_opt_out',
    'whatsapp_unsubscribed',
    'WhatsApp opt-out',
    'Accepts SMS Marketing',
    'sms_consent',
  ],
  ...['fax_opt_out', 'HasOptedOutOfFax', 'mobile_unsubscribed', 'phone_consent'],
  ...[
    'not_unsubscribed',
    'notUnsubscribed',
    'isNotUnsubscribed',
    'never_bounced',
    'not_opted_out',
    'no_complaint',
  ],
  ...[
    'unsubscribe_link',
    'unsubscribe_url',
    'unsubscribed_url',
    'unsubscribe_token',
    'unsubscribe_page',
    'list_unsubscribe',
  ],
  ...['show_unsubscribe', 'unsubscribe_enabled', 'can_unsubscribe', 'resubscribed_after_unsubscribed'],
  ...[
    'last_bounce_check',
    'bounce_rate',
    'bounce_count',
    'bounces',
    'soft_bounce',
    'soft_bounced',
    'emails_bounced',
  ],
  ...['complaints_count', 'complaints', 'unsubscribed_count', 'total_unsubscribed', 'unsubscribed_lists'],
  ...[
    'blocked_products',
    'blocked_countries',
    'blocked_by',
    'blocked_emails',
    'ad_blocker',
    'unblocked',
    'blocklist_id',
  ],
  ...['unsubscribed_from_weekly_digest', 'Opted out of email: One to One', 'unsubscribed_topics'],
  ...[
    'cookie_opt_out',
    'tracking_opt_out',
    'email_tracking_opt_out',
    'arbitration_opt_out',
    'cookie_consent',
    'consent',
  ],
  ...[
    'accepts_terms',
    'accepts_cookies',
    'accepted',
    'subscribed_at',
    'subscribed_on',
    'opt_in_date',
    'optInAt',
  ],
  ...[
    'subscriber',
    'subscription',
    'subscribed_plan',
    'order_status',
    'marital_status',
    'state',
    'status_code',
  ],
  ...[
    'email',
    'mail',
    'email_address',
    'newsletter',
    'marketing',
    'plan',
    'invalid',
    'abuse',
    'clean',
    '',
    '_',
  ],
])('%s says nothing of mail', (name) => {
  expect(subjectOf(name)).toBeNull();
});

test('a name of many words is read in one way', () => {
  const words = [
    'email',
    'e_mail_',
    'mailing_list',
    'is_',
    'from_all_',
    'newsletter',
    'marketing_',
    'disabled_email_',
  ];
  for (const word of words)
    for (const end of ['', 'x', 'opt_outx', '_unsubscribed_from_', '_disabledx', '_quarantinedx', '_statusx'])
      expect(subjectOf(word.repeat(200) + end)).toBeNull();
});
