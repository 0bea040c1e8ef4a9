import { healthEndpoint } from '../../../shared/http/health-endpoint.ts';
import { credentials } from '../service.ts';

export const handler = healthEndpoint(credentials);
