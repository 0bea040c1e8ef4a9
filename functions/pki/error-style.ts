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
