import { codeMessageDetails, detailTexts, type ErrorStyle } from './style.ts';

/** `{code, message, details}`; a 404 also names the resource, as the contract of such platforms has it. */
export const codeMessageDetailsStyle: ErrorStyle = {
  render(refusal) {
    const { code, status, message, details } = refusal;
    const resource =
      status === 404
        ? {
            resourceName: String(details?.resourceName ?? 'Endpoint'),
            resourceId: String(details?.resourceId ?? details?.path ?? ''),
          }
        : {};
    return { code, message, ...resource, details: detailTexts(refusal) };
  },
  schemas: {
    ErrorModel: {
      ...codeMessageDetails,
      properties: {
        ...codeMessageDetails.properties,
        resourceName: { type: 'string', description: 'Only at 404.' },
        resourceId: { type: 'string', description: 'Only at 404.' },
      },
    },
  },
  schemaFor: () => 'ErrorModel',
};
