import { describeDesktop } from './desktop-contract.js';
import { openFixture } from './linux-fixture.js';

describeDesktop('linux, GTK 3', () => openFixture('gtk', 'x11'));
describeDesktop('linux, Qt 5', () => openFixture('qt', 'x11'));
