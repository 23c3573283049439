import { describeDesktop } from './desktop-contract.js';
import { openFixture } from './linux-fixture.js';

const platform = { tellsPaints: false };

describeDesktop('GNOME, GTK 3', () => openFixture('gtk', 'gnome'), platform);
describeDesktop('GNOME, Qt 5', () => openFixture('qt', 'gnome'), platform);
