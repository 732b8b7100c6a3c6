use super::super::confirm::View;
