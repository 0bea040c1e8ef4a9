import { duration, optional, requiredWhenDeployed, text } from '../../settings/kinds.ts';

/** Timeouts and grace window of judging, for a service with its own settings for roots. */
export const validationSettings = {
  'Certificates:Validation:RevocationGraceWindow': duration(
    '24:00:00',
    'How long revocation data past its time still counts when nothing newer can be had.',
  ),
  'Certificates:Validation:RevocationTimeout': duration(5, 'For one list or response, retries included.', {
    min: 1,
  }),
  'Certificates:Validation:CheckTimeout': duration(20, 'For all that one certificate is judged by.', {
    min: 1, // a caller behind an API gateway waits 29 s at most, the signature itself included
  }),
};

/** The settings of a service that judges certificates; they are spread into its own table. */
export const certificateSettings = {
  'Certificates:TrustAnchors': requiredWhenDeployed(
    optional(
      text('', 'The roots whose certificates may sign: files separated by commas, or PEM text itself.'),
    ),
    'no certificate is trusted without roots. Put them in trust/ and name them as trust/roots.pem.',
  ),
  ...validationSettings,
};

/** The values of these settings, as a judge takes them. */
export type JudgingSettings = {
  readonly 'Certificates:TrustAnchors'?: string | undefined;
  readonly 'Certificates:Validation:RevocationGraceWindow': number;
  readonly 'Certificates:Validation:RevocationTimeout': number;
  readonly 'Certificates:Validation:CheckTimeout': number;
};
