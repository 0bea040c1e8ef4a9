import { healthEndpoint } from '../../../shared/http/health-endpoint.ts';
import { pki } from '../service.ts';

export const handler = healthEndpoint(pki);
