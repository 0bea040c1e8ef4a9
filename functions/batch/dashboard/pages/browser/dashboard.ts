import { keepLive } from './dashboard/live.ts';

keepLive();
