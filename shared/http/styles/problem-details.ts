import { STATUS_CODES } from 'node:http';
import { type ErrorStyle, fieldErrors } from './style.ts';

/** RFC 9457. In production only code, traceId, requestId and errors are kept besides the standard members. */
export const problemDetailsStyle: ErrorStyle = {
  render(refusal, { correlationId, path, production }) {
    const { code, status, message, details } = refusal;
    const reason = [
      message,
      ...Object.entries(details ?? {}).map(([name, value]) => `${name}: ${value}`),
    ].join(' ');
    return {
      type: 'about:blank',
      title: STATUS_CODES[status] ?? 'Error',
      status,
      ...(!production && { detail: reason, instance: path }),
      code,
      traceId: correlationId,
      requestId: correlationId,
      ...(refusal.fields.length > 0 && { errors: fieldErrors(refusal) }),
    };
  },
  mediaTypeFor: () => 'application/problem+json',
  schemas: {
    ProblemDetails: {
      type: 'object',
      description: 'Why a request was refused (RFC 9457).',
      examples: [
        {
          type: 'about:blank',
          title: 'Unauthorized',
          status: 401,
          code: 'auth.invalid-credentials',
          traceId: '6f1e3a4c-5d28-4f55-9d0b-0b6c1f7e2d7a',
          requestId: '6f1e3a4c-5d28-4f55-9d0b-0b6c1f7e2d7a',
        },
      ],
      required: ['type', 'title', 'status', 'code', 'traceId', 'requestId'],
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string', description: 'Not sent in production.' },
        instance: { type: 'string', description: 'Not sent in production.' },
        code: { type: 'string', description: 'A stable slug: branch on it. Never renamed or reused.' },
        traceId: { type: 'string' },
        requestId: { type: 'string' },
        errors: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
  schemaFor: () => 'ProblemDetails',
};
