/** The views that are not shown first, in one file of their own. */
export { ActivityView } from '../features/activity/ActivityView.js';
export { AgentsView } from '../features/agents/AgentsView.js';
export { EvidenceView } from '../features/evidence/EvidenceView.js';
export { HealthView } from '../features/health/HealthView.js';
export { LiveView } from '../features/live/LiveView.js';
export { SettingsView } from '../features/settings/SettingsView.js';
