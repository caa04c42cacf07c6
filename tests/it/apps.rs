//! Programs of others as their registries give them: SDKs, coding agents and frameworks.

mod coding_agents;
mod frameworks;
mod sdk;
