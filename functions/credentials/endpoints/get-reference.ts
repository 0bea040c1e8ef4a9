import { referenceEndpoint } from '../../../shared/http/reference/reference-endpoint.ts';
import { credentials } from '../service.ts';

export const handler = referenceEndpoint(credentials);
