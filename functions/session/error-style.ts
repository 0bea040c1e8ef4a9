import type { ErrorStyle } from '../../shared/http/styles/style.ts';

/** `{ error: { code, message, details } }`, with details as one text. */
export const sessionStyle: ErrorStyle = {
  render: ({ code, message, details }) => ({
    error: { code, message, ...(details && { details: detailText(details) }) },
  }),
  schemas: {
    ErrorEnvelope: {
      type: 'object',
      description: 'Why a request was refused.',
      examples: [{ error: { code: 'SESSION_EXPIRED', message: 'No active session by this id.' } }],
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', description: 'Not a closed set. Branch on it.' },
            message: { type: 'string', description: 'For logs, never for branching.' },
            details: {
              type: 'string',
              description: 'What the code alone does not say, for example the field.',
            },
          },
        },
      },
    },
  },
  schemaFor: () => 'ErrorEnvelope',
};

const detailText = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
