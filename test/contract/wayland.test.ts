import { describeDesktop } from './desktop-contract.js';
import { openFixture } from './linux-fixture.js';

const platform = { tellsPaints: false };

describeDesktop('sway, GTK 3', () => openFixture('gtk', 'sway'), platform);
describeDesktop('sway, Qt 5', () => openFixture('qt', 'sway'), platform);
