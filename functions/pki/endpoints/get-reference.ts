import { referenceEndpoint } from '../../../shared/http/reference/reference-endpoint.ts';
import { pki } from '../service.ts';

export const handler = referenceEndpoint(pki);
