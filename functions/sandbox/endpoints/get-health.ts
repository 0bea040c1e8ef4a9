import { healthEndpoint } from '../../../shared/http/health-endpoint.ts';
import { sandbox } from '../service.ts';

export const handler = healthEndpoint(sandbox);
