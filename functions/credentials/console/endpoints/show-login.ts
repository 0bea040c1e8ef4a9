import { showLoginEndpoint } from '../../../../shared/console/login/login-endpoints.ts';
import { credentials } from '../../service.ts';
import { login } from '../login.ts';

export const handler = showLoginEndpoint(credentials, login);
