import { openApiEndpoint } from '../../../shared/http/reference/openapi-endpoint.ts';
import document from '../openapi.json' with { type: 'json' };
import { pki } from '../service.ts';

export const handler = openApiEndpoint(pki, document);
