import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { codeMessageDetails, detailTexts, type ErrorStyle } from '../../shared/http/styles/style.ts';
import { keyOrBearer } from './authenticate.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

// Clients show the message alone, or at 422 the code and the detail alone.
const withFields = (message: string, fields: string): string =>
  fields === '' ? message : `${message.replace(/\.$/, '')}: ${fields}.`;

const textOf = (details: Record<string, string> | null): string =>
  Object.entries(details ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');

/** ErrorModelV2 everywhere, and `exceptionCode` at 500: what support looks for in the logs. */
const pkiStyle: ErrorStyle = {
  render(refusal, { correlationId }) {
    const { code, status, message } = refusal;
    if (status >= 500) return { exceptionCode: correlationId, message };
    const fields = refusal.fields.map(({ field, message: what }) => `${field} ${what}`).join('; ');
    const { validationResults, ...rest } = refusal.details ?? {};
    // Clients throw a validation exception with the results of the certificate.
    if (validationResults !== undefined)
      return { code, message, detail: null, details: rest, validationResults };
    const details = detailTexts(refusal);
    return { code, message: withFields(message, fields), detail: fields || textOf(details) || null, details };
  },
  schemas: {
    ErrorModelV2: {
      ...codeMessageDetails,
      properties: {
        ...codeMessageDetails.properties,
        detail: { type: ['string', 'null'] },
        validationResults: { type: 'object' },
      },
    },
    UnexpectedError: {
      type: 'object',
      description: 'A failure of the service. Give the exception code to support.',
      examples: [
        {
          exceptionCode: '6f1e3a4c-5d28-4f55-9d0b-0b6c1f7e2d7a',
          message: 'Unexpected error. Give the exception code to support.',
        },
      ],
      required: ['exceptionCode'],
      properties: { exceptionCode: { type: 'string' }, message: { type: 'string' } },
    },
  },
  schemaFor: (status) => (status >= 500 ? 'UnexpectedError' : 'ErrorModelV2'),
};

const MINUTE_SECONDS = 60;
// Calls of one address that reach the hub or a workstation. A person takes about ten for a signature, and an office has
// one address.
const WAYS_LIMIT = 600;

/** The permission for files, signatures by API and their documents. */
export const SIGNATURES = 'signatures';

export const pki = service({
  name: 'pki',
  title: 'PKI core service',
  description:
    'Authenticate people by their certificates, and by their faces. Sign documents with keys that are elsewhere.',
  tags: {
    authentication: 'Authenticate the holder of a certificate by a signature with its key.',
    files: 'Files of requests: uploads in one piece and in parts.',
    signatures: 'Sign with keys that are elsewhere, in two steps.',
    documents: 'Signed documents, and the keys by which people name them.',
    pdf: 'Draw into PDFs, put timestamps over them, and say where signatures are shown.',
    inspection: 'Read and validate the signatures of a file.',
    earlier: 'PAdES, CAdES and XML signatures for clients of the earlier generation.',
    biometrics: 'Liveness and enrollment sessions with the camera of a person.',
    'signature-sessions':
      'Sessions in which a person signs documents with a certificate, on a page of this service.',
  },
  listedStatuses: [400, 422],
  settings,
  authenticate: keyOrBearer,
  errors,
  style: pkiStyle,
  situations: PLATFORM_SITUATIONS,
  unknownOptions: 'OptionNotSupported',
  rates: { ways: () => ({ limit: WAYS_LIMIT, windowSeconds: MINUTE_SECONDS }) },
  applicationLimits: () => applicationLimitsOf(settings),
  jsonTypes: ['application/json', 'text/json'],
});
