import { codeMessageDetails, detailTexts, type ErrorStyle } from '../../shared/http/styles/style.ts';

/** ErrorModelV2 everywhere, and `exceptionCode` at 500: what support looks for in the logs. */
export const pkiStyle: ErrorStyle = {
  render(refusal, { correlationId }) {
    const { code, status, message } = refusal;
    if (status >= 500) return { exceptionCode: correlationId, message };
    const detail = refusal.fields.map(({ field, message: what }) => `${field} ${what}`).join('; ');
    return { code, message, ...(detail && { detail }), details: detailTexts(refusal) };
  },
  schemas: {
    ErrorModelV2: {
      ...codeMessageDetails,
      properties: {
        ...codeMessageDetails.properties,
        detail: { type: 'string' },
        validationResults: { type: 'object' },
      },
    },
    UnexpectedError: {
      type: 'object',
      required: ['exceptionCode'],
      properties: { exceptionCode: { type: 'string' }, message: { type: 'string' } },
    },
  },
  schemaFor: (status) => (status >= 500 ? 'UnexpectedError' : 'ErrorModelV2'),
};
